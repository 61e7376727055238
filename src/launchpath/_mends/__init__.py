"""Mends that are forced on a program as it is (``LAUNCHPATH_MEND``), so that their effect can be measured and checked.

Nothing of this is imported, and nothing is in the way of a call, unless the variable is set.
"""
