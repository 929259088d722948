"""`python3 -m tests [NAME ...]`: runs the tests, two modules at a time; the last line counts them."""
import io
import sys
import unittest
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path


def run(name: str) -> tuple[int, int, int, str]:
    """Runs the tests of this name: tests, failed, skipped, and the report of failures."""
    report = io.StringIO()
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
    result = unittest.TextTestRunner(stream=report, verbosity=0).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    return result.testsRun, failed, len(result.skipped), report.getvalue() if failed else ""


def main() -> int:
    """Exit status 0 where every test ran and passed."""
    names = sys.argv[1:] or [f"tests.{p.stem}" for p in Path(__file__).parent.glob("test_*.py")]
    # The long ones first, so that no long one runs alone at the end.
    names.sort(key=lambda name: ("start" not in name, "faults" not in name, name))
    total = bad = skipped = 0
    with ProcessPoolExecutor(max_workers=2) as pool:
        for name, (tests, failed, left_out, report) in zip(names, pool.map(run, names), strict=True):
            print(f"{name}: {tests - failed} of {tests}\n{report}", end="", flush=True)
            total, bad, skipped = total + tests, bad + failed, skipped + left_out
    print(f"{total - min(bad, total)} of {total} tests passed, {bad} failures, {skipped} skipped")
    return 0 if total > 0 and bad == 0 and skipped == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
