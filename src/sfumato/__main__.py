"""``python -m sfumato``: the command line."""

from __future__ import annotations

from sfumato.cli.main import script

if __name__ == "__main__":
    script()
