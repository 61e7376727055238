"""Facts: one file for each kind of finding, a function of a region that gives findings."""
