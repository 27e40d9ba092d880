"""Runs visible tests one at a time, asked by name. A program of its own in a life, beside nothing of ours."""

from __future__ import annotations

import unittest


def outcome(name: str) -> str:
    """Nothing if the test of this name passed; else why not, in a line."""
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
    result = unittest.TestResult()
    suite.run(result)
    for _, trace in (*result.errors, *result.failures):
        return trace.strip().splitlines()[-1]
    if result.skipped or result.expectedFailures or result.unexpectedSuccesses or result.testsRun != 1:
        return "it was skipped, or is expected to fail"
    return ""


if __name__ == "__main__":
    import answering  # type: ignore[import-not-found]  # it is copied to where grader programs are

    answering.serve(outcome)
