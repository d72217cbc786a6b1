//! See `keno_fuzz::rule_book`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| keno_fuzz::rule_book(bytes));
