# The commands of this house. Each is a script that also stands alone; its head says what it does.
#
#   make demo        build, and run a house with a counter on this machine (needs Rust and a C
#                    compiler, and installs nothing); Ctrl-C stops it, the next start goes on
#   make test        install by apt what the tests need and this machine lacks, then every test
#   make check       format, lints and documentation, all without a warning
#   make campaigns   the long forms of the tests that try to prove the record wrong: about an hour
#   make figures     how long all this takes and weighs, beside what it may: forty minutes
#   make packages    Debian packages of release builds, into target/debian
#   make prove-packages  install, sell, upgrade, purge them in a clean Debian (needs root)
#   make prove-reproducible  build the packages twice, elsewhere and otherwise: the same bytes
#   make bench       figures, each a ratio to a baseline of the same run
#   make clean-demo  forget the demonstration house

.PHONY: help demo test check campaigns figures packages prove-packages prove-reproducible bench clean-demo
# Each script says itself what went wrong.
.SILENT:

help:
	sed -n 's/^#   make/make/p; s/^#       */                 /p' Makefile

demo:
	scripts/demo

test:
	scripts/test

check:
	scripts/check

campaigns:
	scripts/campaigns

figures:
	scripts/figures

packages:
	scripts/packages

prove-packages:
	scripts/prove-packages

prove-reproducible:
	scripts/prove-reproducible

bench:
	cargo build --locked --release -p keno-bench -p keno-central
	$${CARGO_TARGET_DIR:-target}/release/keno-bench all

clean-demo:
	scripts/demo --forget
