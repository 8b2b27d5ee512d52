"""What the command line tells a script by its exit code."""

from __future__ import annotations

DONE = 0
WRONG_INPUT = 1
"""The input or the settings are wrong: the message says what would work."""
WRONG_USAGE = 2
"""The command line itself is wrong (argparse's own code)."""
NOT_MET = 3
"""The work was done, and a requirement is not met: no solution fits a rule, a release does not have
the metrics of its solution, an audited table misses a required bound."""
VERIFIED = {
    "other-key": 10,
    "edited-certificate": 11,
    "not-signed": 12,
    "other-version": 13,
    "broken-certificate": 14,
    "other-columns": 15,
    "other-rows": 16,
    "changed-file": 17,
    "other-metrics": 18,
}
"""What `sfumato verify` finds wrong with a release."""
INTERNAL_ERROR = 70
"""An error of sfumato itself."""
INTERRUPTED = 130
