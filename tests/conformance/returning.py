"""Random kernels with returns, barriers, loops and shared memory, and a reference that gives threads turns.

A statement is a tuple, its kind first; an expression too. All numbers are unsigned and have 32 bits.
"""

import random

MASK = 0xFFFFFFFF


class Maker:
    """Makes one kernel, the same for the same seed."""

    def __init__(self, seed):
        self.chance, self.names = random.Random(seed), 0

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def expression(self, depth=2):
        chance = self.chance
        if depth == 0 or chance.random() < 0.45:
            leaves = [("var", name) for name in ("t", "x", "y", "z", "g", "m")]
            return chance.choice([*leaves, ("number", chance.randrange(1, 40)), ("load", ("var", "g"))])
        return (chance.choice("+-*&^|"), self.expression(depth - 1), self.expression(depth - 1))

    def condition(self):
        chance = self.chance
        return chance.choice([
            ("<", ("var", "t"), ("number", chance.randrange(40))),
            (">=", ("var", "g"), ("var", "n")),
            ("==", ("%", self.expression(1), ("number", chance.randrange(2, 7))), ("number", chance.randrange(2))),
            ("<", ("&", self.expression(1), ("number", 15)), ("number", chance.randrange(1, 12))),
            ("==", ("var", "t"), ("number", chance.randrange(70))),
        ])  # fmt: skip

    def common_condition(self, common):
        """Make a condition that all threads agree on."""
        chance = self.chance
        value = ("var", chance.choice(["m", "n", "b", *common, *common]))
        few = ("<", value, ("number", chance.randrange(9)))
        return chance.choice([few, ("==", ("%", value, ("number", 2)), ("number", chance.randrange(2)))])

    def alone(self, depth, looping=False, ends=0.12):
        """Make a statement that each thread does by itself."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.45 - 0.15 * (depth > 0):
            return ("set", chance.choice("xyz"), self.expression())
        if kind < 0.5:
            return ("out", self.expression(1))
        if kind < 0.55:
            return ("atomic", chance.randrange(4), self.expression(1))
        if kind < 0.55 + ends:
            return ("return",)
        if looping and kind < 0.75:
            return ("if", self.condition(), [(chance.choice(["break", "continue"]),)], [])
        if depth and kind < 0.9:
            other = self.several(depth - 1, looping, ends) if chance.random() < 0.5 else []
            return ("if", self.condition(), self.several(depth - 1, looping, ends + 0.1), other)
        if depth:
            times = ("&", self.expression(1), ("number", chance.choice([3, 7])))
            return ("for", self.name(), times, self.several(depth - 1, True, ends))
        return ("set", chance.choice("xyz"), self.expression())

    def several(self, depth, looping, ends):
        statements = []
        for _ in range(self.chance.randrange(1, 4)):
            statements.append(self.alone(depth, looping, ends))
            if statements[-1][0] in ("return", "break", "continue"):
                break
        return statements

    def early(self):
        before = self.several(1, False, 0) if self.chance.random() < 0.4 else []
        return ("if", self.condition(), [*before, ("return",)], [])

    def perhaps(self):
        kind = self.chance.random()
        return [self.early()] if kind < 0.3 else self.several(1, False, 0) if kind < 0.5 else []

    def together(self, depth, common):
        """Make statements that all threads that have not ended come to together."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.25:
            return [self.early()]
        if kind < 0.5:
            put, get = ("put", self.expression()), ("get", chance.choice("xyz"), chance.randrange(1, 70))
            return [put, *self.perhaps(), ("barrier",), get, *self.perhaps(), ("barrier",)]
        if kind < 0.6:
            common.append(self.name())
            return [("any", common[-1], self.condition()) if chance.random() < 0.7 else ("common", common[-1])]
        if kind < 0.7 or depth == 0:
            return self.several(2, False, 0.1)
        if kind < 0.82:
            other = self.sequence(depth - 1, common) if chance.random() < 0.5 else []
            return [("if", self.common_condition(common), self.sequence(depth - 1, common), other)]
        name = self.name()
        inside = self.sequence(depth - 1, [*common, name])
        if kind < 0.92:
            times = [
                ("number", chance.randrange(1, 4)),
                *(("&", ("var", variable), ("number", 3)) for variable in ["m", *common]),
            ]
            return [("for", name, chance.choice(times), inside)]
        return [("while", name, self.condition(), inside)]

    def sequence(self, depth, common, most=4):
        common = [*common]
        return [
            statement for _ in range(self.chance.randrange(1, most + 1)) for statement in self.together(depth, common)
        ]

    def program(self):
        chance = self.chance
        statements = [self.early()] if chance.random() < 0.6 else []
        statements += self.sequence(2, [], 6)
        kind = chance.random()
        if kind < 0.2:
            statements += [("if", self.condition(), self.sequence(1, []), []), *self.several(1, False, 0)]
        elif kind < 0.4:
            name = self.name()
            statements += [("until", name, self.condition(), self.sequence(1, [name])), *self.several(1, False, 0)]
        mixed = ("^", ("var", "y"), ("var", "z"))
        return [*statements, ("out", ("+", ("var", "x"), ("*", ("number", 3), mixed)))]


def spelled(e):
    match e:
        case ("number", value):
            return f"{value}u"
        case ("var", name):
            return name
        case ("load", place):
            return f"a[{spelled(place)}]"
        case (sign, left, right):
            return f"({spelled(left)} {sign} {spelled(right)})"


def written(body):
    """Write statements as C++."""
    lines = []
    for s in body:
        inner = written(s[-1]) if isinstance(s[-1], list) and s[0] != "if" else ""
        match s:
            case ("set", name, e):
                lines.append(f"{name} = {spelled(e)};")
            case ("out", e):
                lines.append(f"o[g] = o[g] * 31u + {spelled(e)};")
            case ("atomic", place, e):
                lines.append(f"atomicAdd(&c[{place}], {spelled(e)});")
            case ("return" | "break" | "continue",):
                lines.append(f"{s[0]};")
            case ("if", e, yes, no):
                lines.append(f"if ({spelled(e)}) {{ {written(yes)} }} else {{ {written(no)} }}")
            case ("for", i, e, _):
                lines.append(f"for (unsigned {i} = 0, e{i} = {spelled(e)}; {i} < e{i}; {i}++) {{ {inner} }}")
            case ("while", i, e, _):
                lines.append(
                    f"for (unsigned {i} = 0; {i} < 4; {i}++) {{ {written([('any', f'q{i}', e)])}"
                    f" if (!q{i}) break; {inner} }}"
                )
            case ("until", i, e, _):
                lines.append(f"for (unsigned {i} = 0; !({i} > 3 || {spelled(e)}); {i}++) {{ {inner} }}")
            case ("barrier",):
                lines.append("__syncthreads();")
            case ("put", e):
                lines.append(f"s[t] = {spelled(e)};")
            case ("get", name, distance):
                lines.append(f"{name} = s[(t + {distance}u) % b];")
            case ("any", name, e):
                lines.append(
                    f"f = 0; __syncthreads(); if ({spelled(e)}) f = 1; __syncthreads(); unsigned {name} = f;"
                    " __syncthreads();"
                )
            case ("common", name):
                lines.append(f"unsigned {name} = a[blockIdx.x + m];")
    return "\n".join(lines)


def text(name, body):
    return f"""__global__ void {name}(const unsigned* a, unsigned* o, unsigned* c, unsigned n, unsigned m) {{
        __shared__ unsigned s[256], f;
        unsigned t = threadIdx.x + blockDim.x * threadIdx.y, b = blockDim.x * blockDim.y, g = blockIdx.x * b + t;
        unsigned x = t, y = 1, z = 2;
        s[t] = 0;
        __syncthreads();
        {written(body)}
    }}"""


class Thread:
    """One thread: `run` yields where it waits for the others."""

    def __init__(self, known, memory):
        self.known, self.memory = known, memory

    def value(self, e):
        match e:
            case ("number", value):
                return value
            case ("var", name):
                return self.known[name]
            case ("load", place):
                return self.memory["a"][self.value(place)]
        left, right = self.value(e[1]), self.value(e[2])
        match e[0]:
            case "<":
                return left < right
            case ">=":
                return left >= right
            case "==":
                return left == right
            case "+":
                return left + right & MASK
            case "-":
                return left - right & MASK
            case "*":
                return left * right & MASK
            case "&":
                return left & right
            case "^":
                return left ^ right
            case "|":
                return left | right
        return left % right

    def run(self, body):
        """Do statements; return what ended them before the last, if anything did."""
        known, memory = self.known, self.memory
        for s in body:
            ended = None
            match s:
                case ("set", name, e):
                    known[name] = self.value(e)
                case ("out", e):
                    memory["o"][known["g"]] = memory["o"][known["g"]] * 31 + self.value(e) & MASK
                case ("atomic", place, e):
                    memory["c"][place] = memory["c"][place] + self.value(e) & MASK
                case ("return" | "break" | "continue",):
                    ended = s[0]
                case ("if", e, yes, no):
                    ended = yield from self.run(yes if self.value(e) else no)
                case ("for" | "while" | "until", _, _, _):
                    ended = yield from self.loop(*s)
                case ("barrier",):
                    yield
                case ("put", e):
                    memory["s"][known["t"]] = self.value(e)
                case ("get", name, distance):
                    known[name] = memory["s"][(known["t"] + distance) % known["b"]]
                case ("any", name, e):
                    yield from self.any(name, e)
                case ("common", name):
                    known[name] = memory["a"][known["block"] + known["m"]]
            if ended:
                return ended
        return None

    def any(self, name, e):
        self.memory["f"] = 0
        yield
        if self.value(e):
            self.memory["f"] = 1
        yield
        self.known[name] = self.memory["f"]
        yield

    def loop(self, kind, name, e, body):
        times = self.value(e) if kind == "for" else 4
        for turn in range(times):
            self.known[name] = turn
            if kind == "until" and self.value(e):
                break
            if kind == "while":
                yield from self.any(f"q{name}", e)
                if not self.known[f"q{name}"]:
                    break
            ended = yield from self.run(body)
            if ended == "return":
                return ended
            if ended == "break":
                break
        return None


def reference(body, data, size, grid, n, m):
    """Say what a kernel leaves in its two arrays."""
    out, counts = [0] * (grid * size), [0] * 4
    for block in range(grid):
        memory = {"a": data, "o": out, "c": counts, "s": [0] * size, "f": 0}
        same = {"b": size, "n": n, "m": m, "block": block, "y": 1, "z": 2}
        threads = [Thread({**same, "t": t, "g": block * size + t, "x": t}, memory) for t in range(size)]
        waiting = [thread.run(body) for thread in threads]
        while waiting:
            waiting = [run for run in waiting if next(run, run) is None]
    return out, counts
