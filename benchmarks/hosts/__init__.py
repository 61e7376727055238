"""Clocks of two hosts that are simulated on one machine: whether the true offset is inside the stated bound."""
