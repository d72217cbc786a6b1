//! The rules of this house.
