"""Stencils: each point from its neighbours."""

import numpy as np

from ..registry import Source, blocks, case, launch, struct

RADIUS = Source("stencils/radius1d.hip", names=("stencil1d<1, 32>",))
TILE = Source("stencils/tile2d.cu")
LAPLACE = Source("stencils/laplace3d.hip")
HEAT = Source("stencils/heat.cu")
WAVE = Source("stencils/wave.hip")  # it instantiates its kernels itself
FDTD = Source("stencils/fdtd.cu")
LIFE = Source("stencils/life.hip")
LBM = Source("stencils/lbm.cu")
THERMAL = Source("stencils/thermal.hip")


def radius(width, block, n=2000):
    return case(
        RADIUS,
        launch(f"stencil1d<{width}, {block}>", blocks(n, block), block, "x", "out", n),
        arrays=lambda r: {"x": r.normal(size=n).astype("f4"), "weights": r.random(17).astype("f4"),
                          "out": np.zeros(n, "f4")},
        expect=lambda a: {"out": np.correlate(np.pad(a["x"], width), a["weights"][: 2 * width + 1], "valid")},
        symbols={"c_weights": "weights"}, rtol=1e-4, atol=1e-5,
    )  # fmt: skip


def five(a, centre, side):
    p = np.pad(a, 1, mode="edge")
    return centre * a + side * (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1])


def five_point(of, dtype, height=37, width=50):
    return case(
        TILE,
        launch(
            f"fivePoint<{of}>", (blocks(width, 16), blocks(height, 8)), (16, 8), "x", "out", width, height, 0.5, 0.125
        ),
        arrays=lambda r: {"x": r.normal(size=(height, width)).astype(dtype), "out": np.zeros((height, width), dtype)},
        expect=lambda a: {"out": five(a["x"], 0.5, 0.125)},
    )


def nine(a):
    weights = np.outer([1, 2, 1], [1, 2, 1]) / 16
    out = np.zeros_like(a)
    h, w = a.shape
    out[1:-1, 1:-1] = sum(weights[j, i] * a[j : h - 2 + j, i : w - 2 + i] for j in range(3) for i in range(3))
    return out


def laplace(a, c0=6.0, c1=1.0):
    out = np.zeros_like(a)
    inner = (slice(1, -1),) * 3
    ring = sum(np.roll(a, shift, axis)[inner] for axis in range(3) for shift in (1, -1))
    out[inner] = c1 * ring - c0 * a[inner]
    return out


def laplace_case(kernel, grid, block, nz=11, ny=18, nx=25):
    return case(
        LAPLACE,
        launch(kernel, grid, block, "x", "out", struct("i4 i4 i4 f4 f4", nx, ny, nz, 6.0, 1.0)),
        arrays=lambda r: {"x": r.normal(size=(nz, ny, nx)).astype("f4"), "out": np.zeros((nz, ny, nx), "f4")},
        expect=lambda a: {"out": laplace(a["x"])},
        rtol=1e-4, atol=1e-5,
    )  # fmt: skip


PLATE = (0.1, 0.2, 0.001, 1.5)


def heat_step(u):
    dx, dy, dt, alpha = PLATE
    v = u.copy()
    v[1:-1, 1:-1] += (
        dt
        * alpha
        * (
            (u[:-2, 1:-1] - 2 * u[1:-1, 1:-1] + u[2:, 1:-1]) / dx**2
            + (u[1:-1, :-2] - 2 * u[1:-1, 1:-1] + u[1:-1, 2:]) / dy**2
        )
    )
    return v


def heat_expected(a):
    u = a["u"]
    for _ in range(3):
        before, u = u, heat_step(u)
    d = np.zeros(1024)
    d[: u.size] = np.abs(u - before).ravel()
    return {"v": u, "u": before, "r": d.reshape(-1, 256).max(1)}


def heat(nx=33, ny=30):
    plate = struct("i4 i4 f8 f8 f8 f8", nx, ny, *PLATE)
    step = [launch("heatStep", (2, 3), (16, 16), *pair, plate) for pair in (("u", "v"), ("v", "u"), ("u", "v"))]
    return case(
        HEAT,
        *step,
        launch("residual", 4, 256, "u", "v", "r", nx * ny, shared=256 * 8),
        arrays=lambda r: {"u": r.random((nx, ny)), "v": np.zeros((nx, ny)), "r": np.zeros(4)},
        expect=heat_expected,
    )


def wave_step(now, before, courant2):
    def at(dx, dy):
        return np.roll(now, (-dy, -dx), (0, 1))

    near = at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1)
    far = at(-2, 0) + at(2, 0) + at(0, -2) + at(0, 2)
    return 2 * now - before + courant2 * (-5 * now + 4 / 3 * near - far / 12)


def wave(of, dtype, ny=20, nx=35):
    def expect(a):
        third = wave_step(a["now"].astype("f8"), a["before"].astype("f8"), 0.1)
        return {"after": third.astype(dtype), "again": wave_step(third, a["now"].astype("f8"), 0.1).astype(dtype)}

    return case(
        WAVE,
        launch(f"waveStep<{of}>", (3, 3), (16, 8), "now", "before", "after", nx, ny, 0.1),
        launch(f"waveStep<{of}>", (3, 3), (16, 8), "after", "now", "again", nx, ny, 0.1),
        arrays=lambda r: {name: r.random((ny, nx)).astype(dtype) for name in ("now", "before", "after", "again")},
        expect=expect, rtol=1e-4, atol=1e-4,
    )  # fmt: skip


def fdtd_expected(a):
    ex, ey, hz = (a[name].copy() for name in ("ex", "ey", "hz"))
    for step in range(3):
        ey[1:] -= np.float32(0.5) * (hz[1:] - hz[:-1])
        ey[0] = a["source"][step]
        ex[:, 1:] -= np.float32(0.5) * (hz[:, 1:] - hz[:, :-1])
        curl = ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]
        hz[:-1, :-1] -= np.float32(0.7) * curl
    return {"ex": ex, "ey": ey, "hz": hz}


def fdtd(rows=20, columns=70):
    where = ((3, 3), (32, 8))
    steps = [
        each
        for t in range(3)
        for each in (
            launch("updateEy", *where, rows, columns, "source", "ey", "hz", t),
            launch("updateEx", *where, rows, columns, "ex", "hz"),
            launch("updateHz", *where, rows, columns, "ex", "ey", "hz"),
        )
    ]
    return case(
        FDTD,
        *steps,
        arrays=lambda r: {"source": r.random(3).astype("f4")}
        | {name: r.random((rows, columns)).astype("f4") for name in ("ex", "ey", "hz")},
        expect=fdtd_expected, rtol=1e-4, atol=1e-5,
    )  # fmt: skip


def life(a):
    count = sum(np.roll(a, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y)
    return ((count == 3) | ((count == 2) & (a == 1))).astype("u1")


def bits(a):
    """32 cells a word, the first in the lowest bit."""
    return np.packbits(a, axis=1, bitorder="little").view("<u4")


DIRECTIONS = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)])
WEIGHTS = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)


def moments(f):
    rho = f.sum(0)
    return rho, np.tensordot(DIRECTIONS[:, 0], f, 1) / rho, np.tensordot(DIRECTIONS[:, 1], f, 1) / rho


def lbm_step(f, omega):
    rho, ux, uy = moments(f)
    out = np.empty_like(f)
    for q, ((cx, cy), w) in enumerate(zip(DIRECTIONS, WEIGHTS, strict=True)):
        cu = 3 * (cx * ux + cy * uy)
        equilibrium = w * rho * (1 + cu + cu * cu / 2 - 1.5 * (ux * ux + uy * uy))
        out[q] = np.roll(f[q] + omega * (equilibrium - f[q]), (cy, cx), (0, 1))
    return out


def lbm(nx=40, ny=12):
    def expect(a):
        f = lbm_step(lbm_step(a["f"].astype("f8"), 1.2), 1.2)
        return {"f": f.astype("f4"), "m": np.stack(moments(f), -1).astype("f4")}

    return case(
        LBM,
        launch("lbm::collideAndStream", (1, ny), 64, "f", "g", nx, ny, 1.2),
        launch("lbm::collideAndStream", (1, ny), 64, "g", "f", nx, ny, 1.2),
        launch("lbm::macroscopic", 4, 128, "f", "m", nx * ny),
        arrays=lambda r: {"f": (WEIGHTS[:, None, None] * (1 + 0.1 * r.random((9, ny, nx)))).astype("f4"),
                          "g": np.zeros((9, ny, nx), "f4"), "m": np.zeros((ny, nx, 3), "f4")},
        expect=expect, rtol=1e-4, atol=1e-5,
    )  # fmt: skip


def thermal_step(t, power, cap, rx, ry, rz):
    p = np.pad(t, 1, mode="edge")
    vertical = p[2:, 1:-1] + p[:-2, 1:-1] - 2 * t
    horizontal = p[1:-1, 2:] + p[1:-1, :-2] - 2 * t
    return t + cap * (power + vertical * ry + horizontal * rx + (80 - t) * rz)


def thermal(rows=30, cols=41, steps=2):
    constants = (0.1, 0.5, 0.25, 0.01)

    def expect(a):
        t = a["t"].astype("f8")
        for _ in range(steps):
            t = thermal_step(t, a["power"], *constants)
        return {"out": t.astype("f4")}

    useful = 16 - 2 * steps
    return case(
        THERMAL,
        launch("thermalSteps", (blocks(cols, useful), blocks(rows, useful)), (16, 16), steps, "power", "t", "out", cols,
               rows, steps, *constants),
        arrays=lambda r: {"t": r.uniform(70, 90, (rows, cols)).astype("f4"), "out": np.zeros((rows, cols), "f4"),
                          "power": r.random((rows, cols)).astype("f4")},
        expect=expect, rtol=1e-4,
    )  # fmt: skip


CASES = [
    radius(8, 256),
    radius(3, 64),
    radius(1, 32),
    five_point("float", "f4"),
    five_point("double", "f8"),
    case(
        TILE,
        launch("ninePoint", (4, 5), (16, 8), "x", "out", struct("i4 i4", 50, 37)),
        arrays=lambda r: {"x": r.normal(size=(37, 50)).astype("f4"), "out": np.zeros((37, 50), "f4")},
        expect=lambda a: {"out": nine(a["x"])},
    ),
    laplace_case("laplace3d", (1, 3), (32, 8)),
    laplace_case("laplace3dSimple", (3, 2, 3), (8, 8, 4)),
    heat(),
    wave("float", "f4"),
    wave("double", "f8"),
    fdtd(),
    case(
        LIFE,
        launch("lifeBytes", 4, 64, "x", "y", struct("u4 u4", 33, 20)),
        launch("lifeBytes", 4, 64, "y", "z", struct("u4 u4", 33, 20)),
        arrays=lambda r: {"x": r.integers(0, 2, (20, 33), "u1"), "y": np.zeros((20, 33), "u1"),
                          "z": np.zeros((20, 33), "u1")},
        expect=lambda a: {"y": life(a["x"]), "z": life(life(a["x"]))},
    ),
    case(
        LIFE,
        launch("packed::lifeBits", (1, 5), (4, 4), "x", "y", 3, 20),
        arrays=lambda r: {"x": bits(r.integers(0, 2, (20, 96), "u1")), "y": np.zeros((20, 3), "u4")},
        expect=lambda a: {
            "y": bits(life(np.unpackbits(a["x"].view("u1"), axis=1, bitorder="little")))
        },
    ),
    lbm(),
    thermal(),
]  # fmt: skip
