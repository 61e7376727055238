"""A plugin of pytest: the tests' simulated machines are the toy's."""

from launchpath import _core

_core.Simulated = _core.Toy
_core.SimulatedCall = _core.ToyCall
_core.simulated_mix = _core.toyed_mix
