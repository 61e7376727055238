"""Bodies that act on each other."""

import numpy as np

from ..registry import Source, case, launch, struct

NBODY = Source("nbody/nbody.hip")
MOLECULES = Source("nbody/lennard_jones.cu")
MOLECULES_DOUBLE = Source("nbody/lennard_jones.cu", defines={"USE_DOUBLE": None})


def advance(of, dtype, n=128, dt=0.01, damping=0.99):
    def expect(a):
        p, m = a["p"][:, :3].astype("f8"), a["p"][:, 3].astype("f8")
        d = p[None] - p[:, None]
        acceleration = (d * (m / ((d**2).sum(-1) + np.float32(0.01)) ** 1.5)[..., None]).sum(1)
        v = damping * (a["v"][:, :3] + dt * acceleration)
        return {
            "q": np.column_stack([p + dt * v, m]).astype(dtype),
            "v": np.column_stack([v, a["v"][:, 3]]).astype(dtype),
        }

    return case(
        NBODY,
        launch(f"advance<{of}>", 2, n // 2, "p", "q", "v", n, dt, damping,
               shared=n // 2 * 4 * np.dtype(dtype).itemsize),
        arrays=lambda r: {"p": r.random((n, 4)).astype(dtype), "q": np.zeros((n, 4), dtype),
                          "v": r.normal(size=(n, 4)).astype(dtype)},
        expect=expect, rtol=1e-4, atol=1e-4,
    )  # fmt: skip


def energy(a):
    p, m = a["p"][:, :3].astype("f8"), a["p"][:, 3].astype("f8")
    d = np.sqrt(((p[None] - p[:, None]) ** 2).sum(-1) + 0.01)
    e = m[:, None] * m / d
    np.fill_diagonal(e, 0)
    return {"e": -0.5 * e.sum(1)}


LENGTH, LJ1, LJ2, CUTOFF2, REACH2, SLOTS = 6.0, 48.0, 24.0, 2.25, 3.24, 60


def pairs(position):
    d = position[:, None, :3] - position[None, :, :3]
    d = np.where(d > LENGTH / 2, d - LENGTH, np.where(d < -LENGTH / 2, d + LENGTH, d))
    r2 = (d**2).sum(-1)
    np.fill_diagonal(r2, np.inf)
    return d, r2


def molecules(source, dtype):
    real = dtype[1:]
    n = 125

    def arrays(r):
        lattice = np.stack(np.meshgrid(*[np.arange(5) * 1.2] * 3, indexing="ij"), -1).reshape(-1, 3)
        position = np.column_stack([lattice + r.uniform(-0.1, 0.1, (n, 3)), np.zeros(n)]).astype(dtype)
        return {"position": position, "force": np.zeros((n, 4), dtype), "neighbours": np.full((SLOTS, n), -1, "i4"),
                "counts": np.zeros(n, "i4")}  # fmt: skip

    def expect(a):
        d, r2 = pairs(a["position"].astype("f8"))
        near, within = r2 < CUTOFF2, r2 < REACH2
        inverse2 = np.where(near, 1 / r2, 0)
        inverse6 = inverse2**3
        force = (d * (inverse2 * inverse6 * (LJ1 * inverse6 - LJ2))[..., None]).sum(1)
        potential = (inverse6 * (LJ1 * inverse6 / 12 - LJ2 / 6)).sum(1)

        def listed(got):
            for i in range(n):
                assert got[: within[i].sum(), i].tolist() == np.flatnonzero(within[i]).tolist()

        return {"counts": within.sum(1), "neighbours": listed,
                "force": np.column_stack([force, potential]).astype(dtype)}  # fmt: skip

    box = struct(f"f{real}", LENGTH)
    return case(
        source,
        launch("buildNeighbours", 2, 64, "position", "neighbours", "counts", n, SLOTS, REACH2, box),
        launch("ljForce", 2, 64, struct("u8 u8 u8 u8 i4", "position", "force", "neighbours", "counts", n),
               struct(f"f{real} f{real} f{real}", LJ1, LJ2, CUTOFF2), box),
        arrays=arrays, expect=expect, rtol=1e-3, atol=2e-3 if real == "4" else 1e-8,
    )  # fmt: skip


CASES = [
    advance("float", "f4"),
    advance("double", "f8"),
    case(
        NBODY,
        launch("potentialEnergy", 2, 64, "p", "e", 100),
        arrays=lambda r: {"p": r.random((100, 4)).astype("f4"), "e": np.zeros(100, "f4")},
        expect=energy,
        rtol=1e-4,
    ),
    molecules(MOLECULES, "f4"),
    molecules(MOLECULES_DOUBLE, "f8"),
]
