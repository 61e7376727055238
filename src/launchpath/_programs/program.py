"""Programs: HIP C++ source, compiled for a device, with its kernels as attributes."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from launchpath import _core
from launchpath._advice import did_you_mean
from launchpath._listed import Fixed, is_listed
from launchpath._listed.objects import OF_PROGRAM
from launchpath._programs import bounds, symbols
from launchpath._programs.builds import building, variants, without_header
from launchpath._programs.kernel import Kernel, check_layout
from launchpath._programs.recipe import Recipe
from launchpath._shown import described, shown
from launchpath._streams import process_end
from launchpath.errors import ArgumentValueError, CompileError, ConfigurationError, LaunchpathError

if TYPE_CHECKING:
    from collections.abc import Container

    from launchpath._compiler.image import Image, Symbol
    from launchpath._compiler.signature import Signature
    from launchpath._memory.array import Array
    from launchpath._programs.builds.apart import Built
    from launchpath._programs.compilation import Compilation
    from launchpath._streams.device import Device


class Program(Fixed):
    """Kernels compiled for one device: attributes by name, or ``program["name"]``.

    The name of a template's instance is its name expression, ``program["reduce<float, 256>"]``. An instance that was
    not requested when compiling is compiled when it is first looked up. A template as an attribute is its only
    instance.

    Attributes
    ----------
    device : Device
    kernels : dict of str to Kernel
        The kernels so far.
    symbols : dict of str to launchpath._compiler.image.Symbol
        The program's ``__device__`` and ``__constant__`` variables; `symbol` gives their memory.
    templates : dict of str to (tuple of str)
        The source's kernel templates by name, with their parameters as written: ``{"reduce": ("class T", "int N")}``.
    log : str
        The compiler's warnings, at the source's own lines.
    """

    device: Device
    kernels: dict[str, Kernel]
    symbols: dict[str, Symbol]
    templates: dict[str, tuple[str, ...]]
    log: str

    def __init__(
        self,
        device: Device,
        image: Image,
        compilation: Compilation | None = None,
        name: str = "the program",
    ) -> None:
        if not isinstance(device, _core.DeviceBase) or not hasattr(image, "globals_size"):
            raise TypeError("use launchpath.compile(source) or launchpath.load(binary) to create a program")
        image = _linked(device, image, name)
        bounds.review(image, device, name)
        vars(self).update(
            device=device, log=image.log, kernels={}, templates=dict(image.templates),
            symbols={symbol.name: symbol for symbol in image.own_symbols()},
        )  # fmt: skip
        self._image, self._compilation, self._source_name = image, compilation, name
        self._lock = threading.RLock()
        self._refused: dict[str, str] = {}  # kernels that no launch can be made of, and why
        self._globals = symbols.block(device, image)
        self._recipe = Recipe(device, name, compilation, image if compilation is None else None)
        self._driver_programs = [self._add(image, ())]
        self._recipe.is_for(self)
        process_end.note_interrupts()  # before the compiler's processes end, which were started since

    def _log(self, *texts: str) -> None:
        vars(self)["log"] = "\n".join(filter(None, [self.log, *texts]))

    def _add(self, image: Image, instances: tuple[str, ...]) -> Any:
        """Build an image's kernels on the device; `instances` are what it was compiled for alone."""
        most = self.device.info["shared_memory_per_block"]
        refused = {
            signature.name: f"kernel {signature.name} needs {signature.shared} bytes of shared memory a block, "
            f"{self.device.name} has {most}"
            for _, signature in image.kernels
            if signature.shared > most
        }
        try:
            built_apart = _built_apart(self.device, image, self._source_name) if image.is_fresh else None
            if built_apart is not None and built_apart.remark:
                image = image._replace(log="\n".join(filter(None, [image.log, built_apart.remark])))
                self._log(built_apart.remark)
            built, kernels, binary = self._built(image, refused, built_apart and built_apart.binary)
        except CompileError as error:
            if refused:  # then some drivers refuse them all
                raise ConfigurationError("; ".join(refused.values())) from error
            raise
        self._refused |= refused
        warnings = [f"{self._source_name}: warning: {reason}; it is skipped" for reason in refused.values()]
        new_logs = [image.log] if image.log not in self.log else []  # of an instance that came later
        self._log(*new_logs, *warnings)
        for signature, kernel in kernels:
            if image.native:
                check_layout(kernel, _taken(signature))
            added = Kernel(kernel, self.device, signature, self._globals)._of_recipe(self._recipe)
            self.kernels.setdefault(signature.name, added)
        if self._compilation is not None:
            if binary is not None:
                self._compilation.keep(image, binary)
            built.variants = variants.of(image, self._compilation, instances)
        return built

    def _built(
        self, image: Image, refused: Container[str], before: bytes | None
    ) -> tuple[Any, list[tuple[Signature, Any]], bytes | None]:
        """Give the driver's program, its kernels, and the binary to keep; `before` is what was built of it already."""
        driver = self.device.driver_device
        is_text = image.kind in ("source", "simulated")
        address = self._globals.pointer if self._globals is not None else 0
        code = image.code if before is None else before

        def build(running: building.Build[Any]) -> tuple[Any, list[tuple[Signature, Any]], bytes | None]:
            built = without_header.build(driver, code.decode()) if is_text else driver.load(code)
            kernels = []
            for entry, signature in image.kernels:
                running.check()
                if signature.name in refused:
                    continue
                hidden = {"globals_address": address} if entry in image.users else {}
                kernel = built.kernel(
                    entry, parameter_bytes=signature.parameter_bytes, dynamic_shared=signature.dynamic_shared,
                    label=signature.name, takes_record=image.checks is not None,
                    waits=entry in image.waiting, **hidden,
                )  # fmt: skip
                kernel.checks = bounds.checks(image, signature)
                kernels.append((signature, kernel))
            running.check()
            binary = image.code if image.native else before
            is_ours = image.native or image.kind == "simulated"
            if self._compilation is not None and image.is_fresh and binary is None and not is_ours:
                with suppress(LaunchpathError):  # a driver that gives no binary
                    binary = built.binary()
            return built, kernels, binary

        if image.kind == "simulated":
            return build(building.Build(build))
        return building.run(build, f"{self._source_name}: the compiler of {self.device.name!r}")

    # -- kernels

    def __getattr__(self, name: str) -> Kernel:
        kernels = self.__dict__.get("kernels", {})
        if name in kernels:
            return kernels[name]  # type: ignore[no-any-return]
        # Those compiled with the program: what is looked up later must not change what an attribute means.
        first = self.__dict__["_image"].kernels if "_image" in self.__dict__ else ()
        instances = [signature.name for _, signature in first if signature.name.startswith(f"{name}<")]
        if len(instances) == 1 and instances[0] in kernels:
            return kernels[instances[0]]  # type: ignore[no-any-return]
        if "_refused" not in self.__dict__:
            raise AttributeError(name)
        self._check_refused(name, *(instances if len(instances) == 1 else ()))
        # With an object Python would add a name of its own choice.
        raise AttributeError(self._absent(name, is_attribute=True), name=name, obj=None)

    def _check_refused(self, *names: str) -> None:
        for name in names:
            if name in self._refused:
                raise ConfigurationError(self._refused[name])

    def _absent(self, name: str, is_attribute: bool = False) -> str:
        """Say why there is no kernel of a name, and what may be meant."""
        names = list(self.kernels)
        if (parameters := self.templates.get(name.removeprefix("::"))) is not None:
            return self._about_template(name, parameters)
        if instances := [entry for entry in names if entry.startswith(f"{name}<")]:
            several = "several instances" if len(instances) > 1 else "the instance"
            return f"{name} is a template with {several}: {', '.join(instances)}"
        if overloads := [entry for entry in names if entry.startswith(f"{name}(")]:
            return f"{name} is overloaded; the kernels are {', '.join(map(repr, overloads))}"
        if name in self.symbols:
            return f"{name} is a variable of the program, no kernel: program.symbol({name!r}) is an array of its memory"
        all_known = f"it has {', '.join(names)}" if names else "none was compiled"
        message = f"the program has no kernel {name!r}; {all_known}"
        if name.removeprefix("::") in self.symbols:
            return f"{message}. It is a global: use program.symbol({name!r})"
        if is_attribute and name in OF_PROGRAM:
            return f"a Program has no attribute {name!r}: {OF_PROGRAM[name]}; {all_known}"
        if self._compilation is None:
            was_template = "<" in name or any("<" in entry for entry in names)
            hint = ". It was loaded: without its source no other instances can be compiled" if was_template else ""
        elif "<" not in name and self._compilation.source.may_name(name):
            hint = f". If it is a template, name it with its arguments, as in program['{name}<float>']"
        else:
            hint = ""
        return message + hint + did_you_mean(name, [*names, *dir(self)] if is_attribute else names)

    def _about_template(self, name: str, parameters: tuple[str, ...]) -> str:
        """Say that a name is a template's, which instances there are, and how to name one."""
        from launchpath._compiler.kernels import template  # noqa: PLC0415 (not wanted when everything is known)

        instances = [entry for entry in self.kernels if entry.startswith(f"{name}<")]
        several = "several instances" if len(instances) > 1 else "the instance"
        instances_text = f" with {several}: {', '.join(instances)}" if instances else " without instances so far"
        if self._compilation is None:
            advice = "it was loaded: without its source no other instances can be compiled"
        else:
            advice = f"name one with its arguments, as in program['{template.example(name, parameters)}']"
        return f"{name} is a template, {template.declared(name, parameters)},{instances_text}; {advice}"

    def __getitem__(self, name: str) -> Kernel:
        if not isinstance(name, str):
            raise TypeError(f"expected the name of a kernel, a str, got {described(name)}")
        try:
            return self.kernels[name]
        except KeyError:
            pass
        return self._instance(name)

    def _instance(self, name: str) -> Kernel:
        from launchpath._compiler.kernels.instance import normal  # noqa: PLC0415 (not wanted when everything is known)

        key = normal(name)
        with self._lock:
            for entry, kernel in list(self.kernels.items()):
                if normal(entry) == key:
                    return kernel
            self._check_refused(*(entry for entry in self._refused if normal(entry) == key))
            if "<" not in key or self._compilation is None:
                raise KeyError(self._absent(name))
            image = self._compilation.image((name,))
            # A driver that keeps globals itself gives each module its own.
            has_globals = bool(image.symbols) if image.native else image.symbols != self._image.symbols
            if has_globals or image.globals_size != self._image.globals_size:
                raise CompileError(
                    f"{name!r} would add its own copies of globals, which the program's other kernels would not see: "
                    f"request it when compiling: names=[{name!r}]"
                )
            self._compilation.tell(image.log, 3)
            before = set(self.kernels)
            self._driver_programs.append(self._add(_linked(self.device, image, self._source_name), (name,)))
            for added in set(self.kernels) - before:
                if normal(added) == key:
                    return self.kernels[added]
            self._check_refused(*(entry for entry in self._refused if normal(entry) == key))
        raise KeyError(self._absent(name))

    def __iter__(self) -> Iterator[Kernel]:
        return iter(list(self.kernels.values()))

    def __len__(self) -> int:
        return len(self.kernels)

    def __contains__(self, name: object) -> bool:
        return name in self.kernels

    def __dir__(self) -> list[str]:
        return [*filter(is_listed, super().__dir__()), *(name for name in self.kernels if name.isidentifier())]

    def __repr__(self) -> str:
        return f"<Program {', '.join(self.kernels) or 'without kernels so far'} on {self.device.name!r}>"

    def _repr_html_(self) -> str:
        from launchpath._report.html import lines_html, table_html  # noqa: PLC0415 (only notebooks need it)

        drawn = lines_html([f"{self._source_name} on {self.device.name}"])
        rows = [(kernel.signature, kernel.signature.size, kernel.signature.shared) for kernel in self]
        drawn += table_html(("Kernel", "Argument bytes", "Shared bytes"), rows)
        if self.symbols:
            globals_ = [(each.name, each.dtype, each.shape, each.size) for each in self.symbols.values()]
            drawn += table_html(("Global", "Type", "Shape", "Bytes"), globals_)
        if self.templates:
            drawn += table_html(
                ("Template", "Parameters"),
                [(name, ", ".join(parameters)) for name, parameters in self.templates.items()],
            )
        return drawn

    def __reduce__(self) -> tuple[Any, ...]:
        return Recipe.program, (self._recipe,)

    # -- globals

    @property
    def _files_read(self) -> list[str]:
        """The files that its source includes, if it was compiled."""
        return [path for path, digest in self._image.files.items() if digest is not None]

    def symbol(self, name: str) -> Array:
        """The memory of a ``__device__`` or ``__constant__`` variable, as an array that shares it.

        ``program.symbol("weights").copy_from(data)`` is ``hipMemcpyToSymbol``; ``.pointer`` is
        ``hipGetSymbolAddress``.

        Parameters
        ----------
        name : str
            With its namespaces, as in ``"physics::gravity"``.

        Returns
        -------
        Array
            Of the variable's own element type and shape, ``()`` for a single value. A pointer is a uint64, and a vector
            has its elements along the last axis: ``float3 a[4]`` is an array of float32 and shape ``(4, 3)``. What
            NumPy has no type for, as a struct, is bytes. `Array.copy_from` accepts a struct as a launch does: as a
            NumPy structured array or scalar, a `ctypes.Structure`, or bytes. To pointers it and `Array.fill` accept
            arrays of the device, `DevicePointer` and None.

        Raises
        ------
        ArgumentValueError
            There is no such variable.
        """
        if not isinstance(name, str):
            raise TypeError(f"expected the name of a global, a str, got {described(name)}")
        symbol = self.symbols.get(name.removeprefix("::"))
        if symbol is not None and symbol.entry:
            return symbols.of_driver(symbol, self.device, self._driver_programs[0])
        if symbol is None or self._globals is None:
            names = ", ".join(self.symbols) or "none"
            raise ArgumentValueError(f"the program has no global {name!r}; it has {names}")
        return symbols.in_block(symbol, self.device, self._globals)

    # -- files

    def binary(self) -> bytes:
        """Return the device's own binary of the program, from the driver."""
        return bytes(self._driver_programs[0].binary())

    def _to_bytes(self) -> bytes:
        """Return what `save` writes to a file, for `launchpath.load`."""
        from launchpath._compiler.target import device_identity  # noqa: PLC0415 (importing launchpath must stay fast)

        image = self._image
        if image.kind != "binary" and image.is_fresh:
            image = image.with_binary(self.binary(), device_identity(self.device.info))
        options = self._compilation.options if self._compilation is not None else ""
        return image.to_entry(source=self._source_name, options=options).encode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the program to a file for `launchpath.load`, on a device of the same kind and driver.

        The file has no instances that were compiled after the others: request them with ``names``.

        Parameters
        ----------
        path : str or path-like
            The file; one of that name is replaced.

        Raises
        ------
        OSError
            The file cannot be written.
        """
        data = self._to_bytes()
        path = os.fsdecode(path)
        temporary = f"{path}.{os.getpid()}.tmp"
        try:
            with open(temporary, "wb") as file:
                file.write(data)
            os.replace(temporary, path)
        except ValueError as error:  # a NUL, or half of a surrogate pair
            raise ArgumentValueError(f"expected a path, got {shown(path)}: {error}") from None
        except OSError as error:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise OSError(error.errno, error.strerror, path) from None


def _linked(device: Device, image: Image, name: str) -> Image:
    """Give an image whose parts are linked."""
    if not image.parts:
        return image
    from launchpath._programs.builds.linking import linked  # noqa: PLC0415 (most programs have one part)

    return linked(device, image, name)


def _built_apart(device: Device, image: Image, name: str) -> Built | None:
    """Give what another process has built, where that is wanted."""
    from launchpath._programs.builds import apart  # noqa: PLC0415 (only programs that were just compiled)

    return apart.built(device, image, name)


def _taken(signature: Signature) -> Signature:
    """What a kernel's entry point takes."""
    if not signature.block:
        return signature
    from dataclasses import replace  # noqa: PLC0415 (not wanted otherwise)

    from launchpath._compiler.signature import ADDRESS, Parameter  # noqa: PLC0415

    address = Parameter("block", "const void *", "pointer", ADDRESS, ADDRESS, 0, const=True)
    return replace(signature, parameters=(address,), size=ADDRESS, block=False)
