"""`python3 -m tests [NAME ...]`: runs the tests and ends with one line that counts them."""
import sys
import unittest


def main() -> int:
    """Exit status 0 where every test ran and passed."""
    loader = unittest.TestLoader()
    if sys.argv[1:]:
        suite = loader.loadTestsFromNames(sys.argv[1:])
    else:
        suite = loader.discover("tests", top_level_dir=".")
    result = unittest.TextTestRunner(verbosity=1, stream=sys.stdout).run(suite)
    failed = len(result.failures) + len(result.errors)
    good = result.wasSuccessful() and result.testsRun > 0 and not result.skipped
    print(f"{result.testsRun - failed} of {result.testsRun} tests passed, {len(result.skipped)} skipped")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
