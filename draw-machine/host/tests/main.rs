//! Every test of the package, in one program.

mod ball_line;
mod beacon;
mod common;
mod goldens_help;
mod hosts;
mod strangers;
mod strangers_on_the_line;
