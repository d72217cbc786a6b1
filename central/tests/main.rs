//! Every test of the package, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

mod access_chain;
mod alarm;
mod amendments;
mod api;
mod api_document;
mod api_house;
mod api_site;
mod backup_commands;
mod ball_line;
mod codes;
mod command_line;
mod common;
mod counter;
mod daemon;
mod follower;
mod goldens_help;
mod goldens_pages;
mod goldens_refusals;
mod goldens_replies;
mod hosts;
mod lost;
mod people;
mod pins;
mod reports;
mod roles;
mod scenario_support;
mod scenarios;
mod shift_days;
mod slips;
mod wall;
mod witnesses;
