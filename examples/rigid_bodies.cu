// Rigid bodies in many small worlds: the structs that kernels take, and what kernels do. rigid_bodies.py writes a kernel
// around each function of namespace work.

// Body k of world w is element k * worlds + w, contact slot s of it is s * worlds + w: neighbouring threads work on
// neighbouring worlds, and read neighbouring memory.

struct Bodies {
    int threads;  // items of work; a kernel's last block may have more threads
    int worlds;
    float dt; float gravity;
    float drag;        // how much of its velocity a body loses in a second
    float margin;      // bodies that are this close may touch in this step
    float calm_speed;  // slower is calm
    float* position; float* rotation;  // rotation: w, x, y, z (capsules lie along their own z axis)
    float* velocity; float* spin;
    float* force; float* torque;
    float* push; float* twist;  // velocities that only move bodies apart, and are forgotten after the step
    float* momentum;            // angular
    float* mass;
    float* inertia;          // about the axis, and across it
    float* inverse_inertia;  // in the world's axes: xx, yy, zz, xy, xz, yz
    float* radius; float* half;  // half: from a capsule's middle to the centre of its ends (0: a ball)
    float* low; float* high;     // bounds
    float* calm;                 // how long the body has been calm
    float* energy;
    int* asleep;  // by world
};
struct Pairs {
    int threads; int worlds;
    int begin;               // the first contact slot of the kind of pairs that a kernel is for
    int* first; int* second;  // by slot: the two bodies (the second is -1 for the ground)
    float* position; float* rotation; float* radius; float* half; float* low; float* high;
    int* asleep;
    int* near;  // by contact: whether bounds overlap
    float* normal; float* point;  // normal: towards the first body
    float* gap;                   // negative: how deep they are in each other
};
struct Contacts {
    int threads; int worlds;
    int slots;
    float dt; float friction; float restitution;
    float bounce_speed;  // slower impacts do not bounce
    float slop;          // what may stay of a penetration: contacts that come and go would shake
    float stiffness;     // how much of the rest is corrected in a step
    float warmth;        // how much of the last step's impulses a step starts from
    int* first; int* second; int* near;
    float* normal; float* point; float* gap;
    float* position; float* velocity; float* spin; float* push; float* twist; float* mass; float* inverse_inertia;
    float* contact_mass;  // along the normal and two tangents
    float* target;        // velocity along the normal that the solver aims at
    float* impulse;       // along the normal and two tangents
    float* pushed;
};
struct Worlds {
    int threads; int worlds;
    int bodies;       // of one world
    float calm_time;  // a world sleeps when all its bodies have been calm for that long
    float* position; float* rotation; float* radius; float* half; float* calm; float* energy;
    int* asleep;
    float* total; float* highest; float* lowest;  // energy of a world, the most and the least that it ever was
    float* rise;                                  // the most that it ever was above what it had been before
    float* sunk;                                  // how deep a body ever was in the ground
    int* steps;
};

// What kernels do, for one item of work.

struct Vec { float x, y, z; };

__device__ inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline Vec operator*(Vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }
__device__ inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline Vec cross(Vec a, Vec b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__device__ inline float clamped(float x, float low, float high) { return fminf(fmaxf(x, low), high); }
__device__ inline Vec load(const float* from, int i) { return {from[3 * i], from[3 * i + 1], from[3 * i + 2]}; }
__device__ inline void store(float* to, int i, Vec a) { to[3 * i] = a.x; to[3 * i + 1] = a.y; to[3 * i + 2] = a.z; }
__device__ inline void add(float* to, int i, Vec a) { store(to, i, load(to, i) + a); }

// A capsule's direction: the z axis, rotated.
__device__ inline Vec axis_of(const float* rotation, int i) {
    const float* q = rotation + 4 * i;
    return {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2])};
}
// For bodies that are round about an axis: `along` of what is along it, `across` of the rest.
__device__ inline Vec stretched(Vec a, Vec axis, float along, float across) {
    return a * across + axis * ((along - across) * dot(a, axis));
}
__device__ inline Vec times(const float* inverse_inertia, int i, Vec a) {
    const float* m = inverse_inertia + 6 * i;
    return {m[0] * a.x + m[3] * a.y + m[4] * a.z, m[3] * a.x + m[1] * a.y + m[5] * a.z,
            m[4] * a.x + m[5] * a.y + m[2] * a.z};
}

__device__ inline Vec momentum_of(const Bodies& p, int i) {
    return stretched(load(p.spin, i), axis_of(p.rotation, i), p.inertia[2 * i], p.inertia[2 * i + 1]);
}

namespace work {
__device__ void clear_forces(const Bodies& p, int i) { store(p.force, i, {}); store(p.torque, i, {}); }
__device__ void clear_pushes(const Bodies& p, int i) { store(p.push, i, {}); store(p.twist, i, {}); }
__device__ void gravity(const Bodies& p, int i) {
    if (!p.asleep[i % p.worlds]) add(p.force, i, {0, 0, -p.gravity * p.mass[i]});
}
__device__ void drag(const Bodies& p, int i) {
    add(p.force, i, load(p.velocity, i) * (-p.drag * p.mass[i]));
    add(p.torque, i, momentum_of(p, i) * -p.drag);
}
__device__ void world_inertia(const Bodies& p, int i) {
    Vec u = axis_of(p.rotation, i);
    float across = 1 / p.inertia[2 * i + 1], more = 1 / p.inertia[2 * i] - across;
    float* m = p.inverse_inertia + 6 * i;
    m[0] = across + more * u.x * u.x; m[1] = across + more * u.y * u.y; m[2] = across + more * u.z * u.z;
    m[3] = more * u.x * u.y; m[4] = more * u.x * u.z; m[5] = more * u.y * u.z;
}
__device__ void integrate_velocities(const Bodies& p, int i) {
    add(p.velocity, i, load(p.force, i) * (p.dt / p.mass[i]));
    add(p.spin, i, times(p.inverse_inertia, i, load(p.torque, i)) * p.dt);
}
__device__ void bounds(const Bodies& p, int i) {
    Vec at = load(p.position, i), axis = axis_of(p.rotation, i), v = load(p.velocity, i);
    float h = p.half[i], reach = p.radius[i] + p.margin + p.dt * sqrtf(dot(v, v));
    Vec to = {fabsf(axis.x) * h + reach, fabsf(axis.y) * h + reach, fabsf(axis.z) * h + reach};
    store(p.low, i, at - to);
    store(p.high, i, at + to);
}
__device__ void integrate_positions(const Bodies& p, int i) {
    add(p.position, i, (load(p.velocity, i) + load(p.push, i)) * p.dt);
}

// A body that turns keeps its angular momentum, and not its spin: it is taken before, and given back after.
__device__ void take_momentum(const Bodies& p, int i) { store(p.momentum, i, momentum_of(p, i)); }
__device__ void integrate_rotations(const Bodies& p, int i) {
    Vec w = (load(p.spin, i) + load(p.twist, i)) * (0.5f * p.dt);
    float* q = p.rotation + 4 * i;
    float a = q[0], b = q[1], c = q[2], d = q[3];
    q[0] = a - w.x * b - w.y * c - w.z * d;
    q[1] = b + w.x * a + w.y * d - w.z * c;
    q[2] = c + w.y * a + w.z * b - w.x * d;
    q[3] = d + w.z * a + w.x * c - w.y * b;
}
__device__ void normalise(const Bodies& p, int i) {
    float* q = p.rotation + 4 * i;
    float scale = 1 / sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) q[k] *= scale;
}
__device__ void give_momentum(const Bodies& p, int i) {
    Vec momentum = load(p.momentum, i), axis = axis_of(p.rotation, i);
    Vec spin = stretched(momentum, axis, 1 / p.inertia[2 * i], 1 / p.inertia[2 * i + 1]);
    float before = dot(momentum, load(p.spin, i)), after = dot(momentum, spin);
    store(p.spin, i, after > before ? spin * sqrtf(before / after) : spin);  // a long step must not add energy
}
__device__ void calm(const Bodies& p, int i) {
    Vec v = load(p.velocity, i), w = load(p.spin, i);
    float limit = p.calm_speed * p.calm_speed;
    p.calm[i] = dot(v, v) < limit && dot(w, w) < limit ? p.calm[i] + p.dt : 0;
}
__device__ void rest(const Bodies& p, int i) {
    if (p.asleep[i % p.worlds]) { store(p.velocity, i, {}); store(p.spin, i, {}); }
}
__device__ void energies(const Bodies& p, int i) {
    Vec v = load(p.velocity, i);
    float turning = 0.5f * dot(load(p.spin, i), momentum_of(p, i));
    p.energy[i] = p.mass[i] * (p.gravity * p.position[3 * i + 2] + 0.5f * dot(v, v)) + turning;
}
}  // namespace work

// The contact, and the elements of its two bodies (b is not of a body if that is the ground).
struct Two { int contact, a, b; };

__device__ inline Two two_of(const Pairs& p, int i) {
    int contact = p.begin * p.worlds + i, slot = contact / p.worlds, world = contact % p.worlds;
    return {contact, p.first[slot] * p.worlds + world, p.second[slot] * p.worlds + world};
}
__device__ inline void set_contact(const Pairs& p, int contact, Vec normal, Vec point, float gap) {
    store(p.normal, contact, normal);
    store(p.point, contact, point);
    p.gap[contact] = gap;
}
__device__ inline void ball_on_ground(const Pairs& p, int contact, Vec at, float radius) {
    set_contact(p, contact, {0, 0, 1}, {at.x, at.y, at.z - radius}, at.z - radius);
}
__device__ inline void ball_on_ball(const Pairs& p, const Two& two, Vec a, Vec b) {
    Vec between = a - b;
    float distance = sqrtf(dot(between, between));
    Vec normal = {0, 0, 1};
    if (distance > 1e-6f) normal = between * (1 / distance);
    float gap = distance - p.radius[two.a] - p.radius[two.b];
    set_contact(p, two.contact, normal, b + normal * (p.radius[two.b] + 0.5f * gap), gap);
}

namespace work {
__device__ void broad_phase(const Pairs& p, int i) {
    Two two = two_of(p, i);
    Vec low = load(p.low, two.a), high = load(p.high, two.a);
    bool near = low.z < 0;
    if (p.second[i / p.worlds] >= 0) {
        Vec other = load(p.low, two.b), top = load(p.high, two.b);
        near = low.x < top.x && low.y < top.y && low.z < top.z && other.x < high.x && other.y < high.y &&
               other.z < high.z;
    }
    p.near[i] = near && !p.asleep[i % p.worlds];
}
__device__ void sphere_ground(const Pairs& p, int i) {
    Two two = two_of(p, i);
    if (p.near[two.contact]) ball_on_ground(p, two.contact, load(p.position, two.a), p.radius[two.a]);
}
__device__ void capsule_ground(const Pairs& p, int i) {  // two slots a capsule, one for each end
    Two two = two_of(p, i);
    if (!p.near[two.contact]) return;
    float to = i / p.worlds % 2 ? p.half[two.a] : -p.half[two.a];
    ball_on_ground(p, two.contact, load(p.position, two.a) + axis_of(p.rotation, two.a) * to, p.radius[two.a]);
}
__device__ void sphere_sphere(const Pairs& p, int i) {
    Two two = two_of(p, i);
    if (p.near[two.contact]) ball_on_ball(p, two, load(p.position, two.a), load(p.position, two.b));
}
__device__ void sphere_capsule(const Pairs& p, int i) {
    Two two = two_of(p, i);
    if (!p.near[two.contact]) return;
    Vec a = load(p.position, two.a), b = load(p.position, two.b), axis = axis_of(p.rotation, two.b);
    ball_on_ball(p, two, a, b + axis * clamped(dot(a - b, axis), -p.half[two.b], p.half[two.b]));
}
__device__ void capsule_capsule(const Pairs& p, int i) {  // where their two axes are closest
    Two two = two_of(p, i);
    if (!p.near[two.contact]) return;
    Vec a = load(p.position, two.a), b = load(p.position, two.b);
    Vec u = axis_of(p.rotation, two.a), v = axis_of(p.rotation, two.b);
    float uv = dot(u, v), ud = dot(u, a - b), vd = dot(v, a - b), spread = 1 - uv * uv;
    float s = spread > 1e-4f ? clamped((uv * vd - ud) / spread, -p.half[two.a], p.half[two.a]) : 0;
    float t = clamped(vd + s * uv, -p.half[two.b], p.half[two.b]);
    s = clamped(t * uv - ud, -p.half[two.a], p.half[two.a]);
    ball_on_ball(p, two, a + u * s, b + v * t);
}
}  // namespace work

struct Contact {
    int at, a, b;      // b is -1 for the ground
    Vec axes[3];       // the normal and two tangents
    Vec arm_a, arm_b;  // from the bodies' centres
};

__device__ inline Contact contact_of(const Contacts& p, int at) {
    int slot = at / p.worlds, world = at % p.worlds;
    Contact c;
    c.at = at;
    c.a = p.first[slot] * p.worlds + world;
    c.b = p.second[slot] < 0 ? -1 : p.second[slot] * p.worlds + world;
    Vec n = load(p.normal, at), point = load(p.point, at);
    Vec t = fabsf(n.z) < 0.7f ? Vec{n.y, -n.x, 0} : Vec{0, n.z, -n.y};
    c.axes[0] = n;
    c.axes[1] = t * (1 / sqrtf(dot(t, t)));
    c.axes[2] = cross(n, c.axes[1]);
    c.arm_a = point - load(p.position, c.a);
    c.arm_b = c.b < 0 ? Vec{} : point - load(p.position, c.b);
    return c;
}
// How fast the first body moves against the second where they touch.
__device__ inline Vec relative(const Contact& c, const float* velocity, const float* spin) {
    Vec v = load(velocity, c.a) + cross(load(spin, c.a), c.arm_a);
    return c.b < 0 ? v : v - load(velocity, c.b) - cross(load(spin, c.b), c.arm_b);
}
__device__ inline void apply(const Contacts& p, const Contact& c, Vec impulse, float* velocity, float* spin) {
    add(velocity, c.a, impulse * (1 / p.mass[c.a]));
    add(spin, c.a, times(p.inverse_inertia, c.a, cross(c.arm_a, impulse)));
    if (c.b < 0) return;
    add(velocity, c.b, impulse * (-1 / p.mass[c.b]));
    add(spin, c.b, times(p.inverse_inertia, c.b, cross(c.arm_b, impulse)) * -1.0f);
}
__device__ inline float share(const Contacts& p, int body, Vec arm, Vec axis) {
    Vec turn = cross(arm, axis);
    return 1 / p.mass[body] + dot(turn, times(p.inverse_inertia, body, turn));
}
// Bring the total impulse along one axis within bounds, and apply what is new of it.
__device__ inline void solve(const Contacts& p, const Contact& c, int k, float more, float low, float high) {
    float* total = p.impulse + 3 * c.at + k;
    float before = *total;
    *total = clamped(before + more, low, high);
    apply(p, c, c.axes[k] * (*total - before), p.velocity, p.spin);
}

namespace work {
__device__ void prepare(const Contacts& p, int i) {
    p.pushed[i] = 0;
    if (!p.near[i]) { store(p.impulse, i, {}); return; }
    Contact c = contact_of(p, i);
    for (int k = 0; k < 3; k++) {
        float inverse = share(p, c.a, c.arm_a, c.axes[k]);
        if (c.b >= 0) inverse += share(p, c.b, c.arm_b, c.axes[k]);
        p.contact_mass[3 * i + k] = 1 / inverse;
    }
    // Bodies that are apart may come as close as they like in this step, but not closer.
    float closing = -dot(relative(c, p.velocity, p.spin), c.axes[0]), gap = fmaxf(p.gap[i], 0);
    bool bounces = closing > p.bounce_speed && closing * p.dt > gap;
    p.target[i] = bounces ? closing * p.restitution : -gap / p.dt;
}

// From here on a thread is a world, whose contacts come one after the other.
__device__ void warm_start(const Contacts& p, int world) {
    for (int i = world; i < p.slots * p.worlds; i += p.worlds) {
        if (!p.near[i]) continue;
        Contact c = contact_of(p, i);
        Vec j = load(p.impulse, i) * p.warmth;  // less than all: an impact must not be repeated
        store(p.impulse, i, j);
        apply(p, c, c.axes[0] * j.x + c.axes[1] * j.y + c.axes[2] * j.z, p.velocity, p.spin);
    }
}
__device__ void solve_normals(const Contacts& p, int world) {
    for (int i = world; i < p.slots * p.worlds; i += p.worlds) {
        if (!p.near[i]) continue;
        Contact c = contact_of(p, i);
        float lacking = p.target[i] - dot(relative(c, p.velocity, p.spin), c.axes[0]);
        solve(p, c, 0, lacking * p.contact_mass[3 * i], 0, 3e38f);
    }
}
__device__ void solve_friction(const Contacts& p, int world) {
    for (int i = world; i < p.slots * p.worlds; i += p.worlds) {
        if (!p.near[i]) continue;
        Contact c = contact_of(p, i);
        float most = p.friction * p.impulse[3 * i];
        for (int k = 1; k < 3; k++) {
            float sliding = dot(relative(c, p.velocity, p.spin), c.axes[k]);
            solve(p, c, k, -sliding * p.contact_mass[3 * i + k], -most, most);
        }
    }
}

// Bodies that are in each other are moved apart by velocities of their own: these give no energy to the others.
__device__ void correct_positions(const Contacts& p, int world) {
    for (int i = world; i < p.slots * p.worlds; i += p.worlds) {
        if (!p.near[i] || p.gap[i] > -p.slop) continue;
        Contact c = contact_of(p, i);
        float wanted = p.stiffness * (-p.gap[i] - p.slop) / p.dt, before = p.pushed[i];
        float lacking = wanted - dot(relative(c, p.push, p.twist), c.axes[0]);
        p.pushed[i] = fmaxf(before + lacking * p.contact_mass[3 * i], 0);
        apply(p, c, c.axes[0] * (p.pushed[i] - before), p.push, p.twist);
    }
}
}  // namespace work

namespace work {
__device__ void fall_asleep(const Worlds& p, int world) {
    bool calm = true;
    for (int i = world; i < p.bodies * p.worlds; i += p.worlds) calm = calm && p.calm[i] > p.calm_time;
    p.asleep[world] = calm;
}
__device__ void watch(const Worlds& p, int world) {
    float total = 0, sunk = p.sunk[world];
    for (int i = world; i < p.bodies * p.worlds; i += p.worlds) {
        total += p.energy[i];
        sunk = fmaxf(sunk, p.radius[i] + fabsf(axis_of(p.rotation, i).z) * p.half[i] - p.position[3 * i + 2]);
    }
    p.total[world] = total;
    p.sunk[world] = sunk;
    p.highest[world] = fmaxf(p.highest[world], total);
    p.lowest[world] = fminf(p.lowest[world], total);
    p.rise[world] = fmaxf(p.rise[world], total - p.lowest[world]);
}
__device__ void count_step(const Worlds& p, int i) { p.steps[i] += 1; }
}  // namespace work
