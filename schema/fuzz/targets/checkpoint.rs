//! See `keno_fuzz::checkpoint`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| keno_fuzz::checkpoint(bytes));
