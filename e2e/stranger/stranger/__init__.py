"""A verifier of the game log, written from the documents of its format alone.

Modules, each with one subject:

- ``encoding``  bytes of leaves, bodies and exports (FORMAT.md)
- ``tree``      RFC 6962 roots, verifier keys and signed checkpoints (FORMAT.md, "Tree", "Checkpoint")
- ``ed25519``   signature check in plain Python (RFC 8032)
- ``draw``      from secrets and seal to the numbers (DRAW.md)
- ``toml``      the TOML that rule books use
- ``book``      a rule book and what it returns (RULES.md, "The rule book")
- ``rules``     selections, ways, prizes and settlements (RULES.md, "Selections", "Settlement")
- ``state``     what the record says so far of draws, tickets, payments, tills and keys
- ``house``, ``draws``, ``hands``, ``hosts``, ``tickets``, ``payments``   the rules of each group of kinds (RULES.md)
- ``replay``    the log followed entry by entry, and the export as a whole
- ``vectors``   the golden vectors, checked with all of this
- ``writing``   the way back, from fields to bytes; only ``tamper.py`` uses it
"""
