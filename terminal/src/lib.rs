//! The edge agent.
