//! The addresses for programs: `/api/v1` (JSON for terminals, kiosks, displays and the audit office),
//! `/log`, `/live`, `/metrics`, `/healthz` and the document of them all. Their list is in `openapi`.

mod alarms;
mod amendments;
mod approvals;
mod audit;
mod checks;
mod claims;
mod counter;
mod damaged;
mod desk;
mod devices;
mod draws;
mod follower;
mod hand_overs;
mod handler;
mod health;
mod house;
mod keys;
mod live;
mod log;
mod lost;
mod messages;
pub mod openapi;
mod people;
mod problems;
mod reports;
mod room;
mod rules;
mod sales;
mod sessions;
mod shifts;
mod slips;
mod tickets;
pub mod types;
mod wall;

pub(crate) use draws::number_of as draw_number_of;
pub use openapi::endpoints;
pub(crate) use reports::certificate_of as certificate_of_draw;
pub use rules::{certificate_lines, current_rules};
