from tests.unit.conftest import pytest_configure

__all__ = ["pytest_configure"]
