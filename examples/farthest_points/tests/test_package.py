"""The package in a fresh interpreter, and further tests of its build."""

from my_ops_suite.package import Package


class TestPackage(Package):
    """Runs the tests of the package. A method here replaces a test."""
