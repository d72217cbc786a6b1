//! What the program says of itself: `--help` of each of its commands.
//!
//! `INSTA_UPDATE=always cargo test -p keno-terminal --test suite goldens_help` accepts what it is now.

use keno_testing::Goldens;
use keno_testing::help_of;

#[test]
fn the_help_is_as_ever() {
    let help = help_of(env!("CARGO_BIN_EXE_keno-terminal"));
    Goldens::of("tests/goldens/help").hold("keno-terminal", &help);
}
