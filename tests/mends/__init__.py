"""Mends that are forced: on the simulated driver, in processes of their own, and on the devices that there are."""
