//! How fast the house is: ratios of two arms that are measured in turn, in one run, on one disk.
//!
//! Absolute figures belong to a machine and its neighbours; a ratio of two arms that did the same
//! work within the same seconds travels. Each command proves first that its arms do the same
//! (equal facts, equal winners, equal sums), then times them by rounds, and gives the median of
//! the rounds' ratios with what other processes took meanwhile. Above a quarter there is no
//! verdict.

pub mod client;
pub mod clock;
pub mod cpu;
pub mod disk;
pub mod figure;
pub mod follow;
pub mod growth;
pub mod history;
pub mod house;
pub mod idle;
pub mod live;
pub mod look_up;
pub mod memory;
pub mod naive;
pub mod open_loop;
pub mod past;
pub mod postgres;
pub mod process;
pub mod ranks;
pub mod sales;
pub mod settle;
pub mod settle_sales;
pub mod start;
pub mod streams;
pub mod till;
pub mod wagers;
pub mod winners;
