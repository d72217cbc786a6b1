//! The central computer.
