//! The central computer of a Keno house: HTTP, pages, live events, the published log, and the
//! command line.
//!
//! Everything about money is decided below, in `keno-service`: this crate turns requests into
//! commands and answers into JSON, events and pages. It holds no rule of the game.

pub mod alarm;
pub mod api;
pub mod app;
pub mod console;
pub mod convert;
pub mod doors;
pub mod endpoint;
pub mod entrance;
pub mod idle;
pub mod live;
pub mod look_up;
pub mod metrics;
pub mod pages;
pub mod papers;
pub mod problem;
mod refusals;
pub mod report;
pub mod request;
pub mod server;
pub mod site;
pub mod trust;
pub mod wall;
pub mod watch;
