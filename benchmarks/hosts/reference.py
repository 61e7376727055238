"""The reference's side, a program of its own: a server with a simulated clock, and the network before it.

It reads a scene, a clock and a seed as JSON from each line of its input, and writes the two addresses: behind the
delays, and without them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.hosts.delays import Delays
from benchmarks.hosts.world import FakeClock, Scene, World
from launchpath._tracing.clocks.server import ClockServer


def main() -> None:
    host, world = sys.argv[1], World(Path(sys.argv[2]))
    for line in sys.stdin:
        scene, facts, seed = json.loads(line)
        scene, fake = Scene.of(scene), FakeClock(*facts)
        clock, raw = fake.at(world)
        server = ClockServer(host, 0, clock=clock, raw=raw, name="reference", id="the reference's").start()
        delays = Delays(server.address, scene.there, scene.back, scene.jitter, host, seed)
        sys.stdout.write(json.dumps([delays.address, server.address]) + "\n")
        sys.stdout.flush()
        sys.stdin.readline()  # until the trace has ended
        delays.close()
        server.stop()


if __name__ == "__main__":
    main()
