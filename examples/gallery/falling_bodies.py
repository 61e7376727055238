"""Balls and capsules that fall on a plane, drawn by a kernel of its own.

The physics is ``examples/rigid_bodies.py``: 44 launches of small kernels a step, each with a struct of arguments in
device memory. This program copies some of its worlds beside each other, and traces a ray for each pixel.

The first part of the fall is compared with NumPy's, and so is the distance that each ray goes.

Run ``python examples/gallery/falling_bodies.py``. The kernel that draws is in ``falling_bodies.cu``.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

import launchpath as lp
from picture import blocks, checked, device_of, options_of, save

sys.path.append(str(Path(__file__).parents[2]))
from examples import rigid_bodies

Floats = npt.NDArray[np.float32]

FREE_STEPS = 10  # in which no body meets another one or the ground
CONSTANTS = {"MOST_STEPS": 96, "NEAR": "1e-3f", "FAR": "40.0f"}  # of the rays
DISTANCE = 2.4  # between worlds in the picture
GROUND = (0.80, 0.79, 0.76)
COLOURS = ((0.90, 0.36, 0.27), (0.98, 0.72, 0.25), (0.27, 0.62, 0.60), (0.26, 0.44, 0.72), (0.55, 0.37, 0.66))


@dataclass(frozen=True)
class Scene:
    """What a picture shows: middles and axes of shape (bodies, 3), radii and colours."""

    middle: Floats
    axis: Floats
    radius: Floats
    colours: Floats  # the ground's first


def scene_of(simulation: rigid_bodies.Simulation, across: int) -> Scene:
    """Take the bodies of a simulation, its worlds in rows of so many."""
    layout = simulation.layout
    world = np.arange(layout.bodies * layout.worlds) % layout.worlds
    middle = simulation.read("position").copy()
    middle[:, 0] += DISTANCE * (world % across - (across - 1) / 2)
    middle[:, 1] += DISTANCE * (world // across)
    w, x, y, z = simulation.read("rotation").T
    along = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    colours = np.float32([GROUND, *(COLOURS[k % len(COLOURS)] for k in np.arange(len(world)) // layout.worlds)])
    axis = simulation.read("half")[:, None] * along
    return Scene(middle, axis.astype("float32"), simulation.read("radius"), colours)


def camera(eye: tuple[float, float, float], at: tuple[float, float, float], zoom: float) -> Floats:
    """Return the eye, and the directions to the right, up and forward, as four vectors."""
    forward = np.subtract(at, eye) / np.linalg.norm(np.subtract(at, eye))
    right = np.cross(forward, (0, 0, 1))
    right /= np.linalg.norm(right)
    return np.float32([eye, right, np.cross(right, forward), zoom * forward])


def rendered(device: lp.Device, scene: Scene, view: Floats, width: int, height: int) -> tuple[Floats, Floats]:
    """Return the picture, of shape (height, width, 3), and the distance that each ray goes."""
    program = lp.compile(path=Path(__file__).with_suffix(".cu"), device=device, defines=CONSTANTS)
    arrays = [lp.asarray(array, device=device) for array in (scene.middle, scene.axis, scene.radius, view)]
    colours = lp.asarray(scene.colours, device=device)
    depth, picture = lp.empty((height, width), device=device), lp.empty((height, width, 3), device=device)
    render = program.render[(blocks(width, 64), height), 64, device.legacy_stream]
    render(width, height, len(scene.radius), *arrays, colours, depth, picture)
    return picture.to_numpy(), depth.to_numpy()


# ---------------------------------------------------------------------------------------------------------------------
# The same in NumPy


def numpy_fall(position: Floats, steps: int) -> npt.NDArray[np.float64]:
    """Let bodies fall freely: gravity, drag, and then the position, as the kernels do."""
    dt, gravity, drag = (rigid_bodies.CONSTANTS[name] for name in ("dt", "gravity", "drag"))
    fallen, speed = position.astype("float64"), 0.0
    for _ in range(steps):
        speed += dt * (-gravity - drag * speed)
        fallen[:, 2] += dt * speed
    return fallen


def numpy_depth(scene: Scene, view: Floats, width: int, height: int) -> npt.NDArray[np.float64]:
    """Compute how far each ray goes before it meets a ball, a capsule or the ground, by the same steps."""
    right = (2 * (np.arange(width) + 0.5) - width) / height
    up = (height - 2 * (np.arange(height) + 0.5)) / height
    ray = view[3] + right[None, :, None] * view[1] + up[:, None, None] * view[2]
    ray /= np.linalg.norm(ray, axis=2, keepdims=True)
    length = (scene.axis.astype("float64") ** 2).sum(axis=1)
    gone, moving = np.zeros((height, width)), np.ones((height, width), bool)
    for _ in range(CONSTANTS["MOST_STEPS"]):
        at = view[0] + gone[..., None] * ray
        between = at[:, :, None] - scene.middle
        where = np.clip((between * scene.axis).sum(axis=3) / np.where(length > 0, length, 1), -1, 1)
        rest = np.linalg.norm(between - where[..., None] * scene.axis, axis=3) - scene.radius
        far = np.minimum(at[..., 2], rest.min(axis=2))
        moving &= (far >= 1e-3) & (gone < 40)
        gone = np.where(moving, gone + far, gone)
    return np.minimum(gone, 40)


def draw(pictures: dict[int, Floats]) -> Figure:
    """Draw the pictures one below the other."""
    figure = Figure(figsize=(7.6, 4.6), layout="constrained")
    for axes, (steps, picture) in zip(figure.subplots(len(pictures), 1), pictures.items(), strict=True):
        axes.imshow(np.clip(picture, 0, 1))
        axes.set_title(f"{steps / 120:.2f} s, {steps} steps", loc="left")
        axes.set_axis_off()
    return figure


def main() -> None:
    """Run the program."""
    options = options_of(__doc__, "falling_bodies.png", worlds=8, bodies=6, width=800, steps=240).parse_args()
    device, width, height = device_of(options), options.width, options.width * 2 // 7
    program = lp.compile(rigid_bodies.source(), device, name="rigid_bodies")
    simulation = rigid_bodies.Simulation(program, rigid_bodies.Layout(options.worlds, options.bodies), with_step=True)
    simulation.run(FREE_STEPS)
    checked("free fall", simulation.read("position"), numpy_fall(simulation.initial["position"], FREE_STEPS), 1e-5)
    view = camera((0, -13, 3.6), (0, 0, 1.7), 4.6)
    pictures, done = {}, FREE_STEPS
    for steps in (max(options.steps // 5, FREE_STEPS), options.steps):
        simulation.run(steps - done)
        done, began = steps, perf_counter()
        scene = scene_of(simulation, options.worlds)
        pictures[steps], _ = rendered(device, scene, view, width, height)
        print(f"step {steps}: {width} x {height} pixels in {perf_counter() - began:.2f} s")
    problems = simulation.problems(done)
    if problems:
        raise SystemExit("\n".join(problems))
    depth = rendered(device, scene, view, 70, 20)[1]
    away = np.abs(depth - numpy_depth(scene, view, 70, 20)) > 0.01  # rays along an edge may go on by a rounding
    print(f"depth: {away.sum()} of {away.size} rays end elsewhere than NumPy's")
    if away.mean() > 0.01:
        raise SystemExit("expected at most 1 % of the rays to end elsewhere than NumPy's")
    save(draw(pictures), options.output, colours=256)


if __name__ == "__main__":
    main()
