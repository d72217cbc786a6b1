//! See `keno_fuzz::export`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| keno_fuzz::export(bytes));
