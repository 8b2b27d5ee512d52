"""What the command line tells a script by its exit code."""

from __future__ import annotations

DONE = 0
WRONG_INPUT = 1
"""The input or the settings are at fault: the message says what would work."""
WRONG_USAGE = 2
"""The command line itself is at fault (argparse's own code)."""
NOT_MET = 3
"""The work was done, and what was asked for does not hold: no solution fits a rule, a release
misses its promise, an audited table falls short of what was required."""
DEFECT = 70
"""A defect of sfumato."""
INTERRUPTED = 130
