//! See `keno_fuzz::ball_line`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| keno_fuzz::ball_line(bytes));
