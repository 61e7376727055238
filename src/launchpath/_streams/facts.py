"""Facts: the properties and limits of a device, as typed attributes."""

from __future__ import annotations

from launchpath import _core


class DeviceFacts(_core.DeviceBase):
    """What `Device.info` holds, an attribute for each key.

    What a platform does not tell is None where that is among the types, and as the attribute's text says elsewhere.
    """

    # -- which device it is

    @property
    def name(self) -> str:
        """The device's name, from its driver."""
        return str(self.info["name"])

    @property
    def vendor(self) -> str:
        """The manufacturer of the device, or of its driver."""
        return str(self.info["vendor"])

    @property
    def kind(self) -> str:
        """``"gpu"``, ``"cpu"``, ``"accelerator"``, or ``"simulated"`` in tests."""
        return str(self.info["kind"])

    @property
    def architecture(self) -> str | None:
        """The compilers' name of the device: ``"sm_90"``, ``"gfx90a:sramecc+:xnack-"``. None on OpenCL devices."""
        name = self.info.get("architecture")
        return None if name in (None, "unknown") else str(name)

    @property
    def ordinal(self) -> int | None:
        """The number of the device in CUDA or HIP, as in torch's ``cuda:0``. None on OpenCL devices."""
        return self._number("ordinal")

    @property
    def pci_bus(self) -> str | None:
        """The device's address on the PCI bus: ``"0000:02:00.0"``. None on OpenCL devices."""
        return str(self.info.get("pci_bus") or "") or None

    # -- how it is reached

    @property
    def driver(self) -> str:
        """The driver that launchpath uses: ``"cuda"``, ``"hip"``, ``"opencl"``, or ``"simulated"`` in tests."""
        return str(self.info["driver"])

    @property
    def platform(self) -> str:
        """``"CUDA"`` or ``"HIP"``; on OpenCL devices the platform's own name, as ``"Intel(R) OpenCL"``."""
        return str(self.info["platform"])

    @property
    def version(self) -> str | None:
        """The version that the driver reports, of CUDA or HIP (``"13.0"``) or of OpenCL (``"OpenCL 3.0 ..."``).

        None on simulated devices.
        """
        return self._text("version")

    @property
    def driver_version(self) -> str:
        """The driver's own version on OpenCL devices; on CUDA and HIP devices the same as `version`."""
        return str(self.info["driver_version"])

    @property
    def library(self) -> str | None:
        """The file of the driver's library that was loaded. None on simulated devices."""
        return self._text("library")

    @property
    def workarounds(self) -> tuple[str, ...]:
        """Names of the workarounds in force for the driver, which ``launchpath devices -v`` explains."""
        return tuple(self.info.get("workarounds", ()))

    @property
    def extensions(self) -> tuple[str, ...]:
        """The OpenCL extensions of the device, as ``"cl_khr_fp16"``. Empty on all other devices."""
        return tuple(self.info.get("extensions", ()))

    # -- what a launch can be

    @property
    def compute_units(self) -> int:
        """How many multiprocessors (CUDA), compute units (HIP, OpenCL) or cores (CPUs) the device has."""
        return int(self.info["compute_units"])

    @property
    def warp_size(self) -> int | None:
        """Threads of a warp (CUDA) or wavefront (HIP). None on OpenCL devices."""
        return self._number("warp_size") or None

    @property
    def max_threads_per_block(self) -> int:
        """Threads of a block at most, in all dimensions together; a kernel may take fewer."""
        return int(self.info["max_threads_per_block"])

    @property
    def max_block(self) -> tuple[int, int, int]:
        """Threads of a block at most, in x, y and z."""
        return self._extents("max_block")

    @property
    def max_grid(self) -> tuple[int, int, int]:
        """Blocks of a grid at most, in x, y and z."""
        return self._extents("max_grid")

    @property
    def parameter_bytes(self) -> int:
        """Bytes of arguments that a launch can pass. Larger arguments go through device memory automatically."""
        return int(self.info["parameter_bytes"])

    @property
    def priorities(self) -> tuple[int, int]:
        """The least and the most urgent priority of streams, lower being more urgent; ``(0, 0)`` without priorities."""
        least, most = self.info["priorities"]
        return int(least), int(most)

    @property
    def cooperative(self) -> bool:
        """Whether there are cooperative launches (`Kernel.cooperative`). False on OpenCL devices."""
        return bool(self.info.get("cooperative"))

    @property
    def dependent_launches(self) -> bool:
        """Whether kernels may start while the kernel before them ends. False on OpenCL and HIP devices."""
        return bool(self.info["dependent_launches"])

    @property
    def early_triggers(self) -> str:
        """Which kernels let the next one start at once in small grids: of frozen ``steps``, ``all``, or none (empty).

        ``LAUNCHPATH_DEPENDENT`` chooses. They have to be compiled by launchpath, on a device with dependent launches.
        """
        return str(self.info.get("early_triggers", ""))

    @property
    def early_trigger_threads(self) -> int:
        """Threads of the largest grid that lets the next kernel start at once; 0 where none does.

        It is half of the threads that the device runs at once.
        """
        return int(self.info.get("early_trigger_threads", 0))

    # -- its memory

    @property
    def total_memory(self) -> int:
        """Bytes of device memory, in use or not; `Device.memory_info` has the free part."""
        return int(self.info["total_memory"])

    @property
    def max_allocation(self) -> int | None:
        """Bytes of the largest possible array. None on simulated devices."""
        return self._number("max_allocation")

    @property
    def shared_memory_per_block(self) -> int:
        """Bytes of shared memory that a block can have, static and dynamic together, without opting in to more."""
        return int(self.info["shared_memory_per_block"])

    @property
    def shared_memory_optin(self) -> int:
        """Bytes of shared memory that a block can have at most; launches opt in automatically.

        On a platform without this option it is `shared_memory_per_block`.
        """
        return int(self.info.get("shared_memory_optin", self.info["shared_memory_per_block"]))

    @property
    def memory(self) -> str | None:
        """The kind of memory of arrays: ``"device"`` memory of CUDA or HIP; ``"usm"`` or ``"svm-..."`` on OpenCL.

        ``"usm"`` is Intel's unified shared memory; ``"svm-fine"`` and ``"svm-coarse"`` are shared virtual memory. None
        on simulated devices.
        """
        return self._text("memory")

    @property
    def host_accessible(self) -> bool:
        """Whether the host can access the memory of arrays directly, as on CPUs: then NumPy shares it by DLPack."""
        return bool(self.info["host_accessible"])

    @property
    def managed_memory(self) -> bool:
        """Whether `launchpath.managed_empty` gives memory that host and device reach at the same address."""
        return bool(self.info["managed_memory"])

    @property
    def concurrent_managed_access(self) -> bool:
        """Whether the host may touch managed memory that running work does not use. False without managed memory.

        If False, the host may touch managed memory only while the device is idle. That is CUDA's attribute of this
        name: 0 on GPUs before Pascal, and on Windows.
        """
        return bool(self.info["concurrent_managed_access"])

    @property
    def stream_ordered(self) -> bool:
        """Whether the driver allocates in the order of streams, as ``cudaMallocAsync``. False on OpenCL devices."""
        return bool(self.info.get("stream_ordered"))

    # -- what it takes from compilers

    @property
    def dialect(self) -> str:
        """The form of its programs: ``"cuda"``, ``"hip"``, ``"spirv"``, or OpenCL C as ``"clc"``, ``"clc-generic"``."""
        return str(self.info["dialect"])

    @property
    def spirv(self) -> bool:
        """Whether the driver takes SPIR-V. False on CUDA and HIP devices."""
        return bool(self.info.get("spirv"))

    @property
    def generic_address_space(self) -> bool:
        """Whether a pointer can point to any address space without a qualifier. False on simulated devices."""
        return bool(self.info.get("generic_address_space"))

    def _text(self, key: str) -> str | None:
        value = self.info.get(key)
        return None if value is None else str(value)

    def _number(self, key: str) -> int | None:
        value = self.info.get(key)
        return None if value is None else int(value)

    def _extents(self, key: str) -> tuple[int, int, int]:
        x, y, z = self.info[key]
        return int(x), int(y), int(z)


def device_html(device: DeviceFacts) -> str:
    """Draw the facts that tell a device, and its limits."""
    from launchpath._report.html import facts_html  # noqa: PLC0415 (only notebooks need it)
    from launchpath._report.units import format_bytes  # noqa: PLC0415

    threads = f"{device.max_threads_per_block:,}"
    return facts_html(
        device.name,
        [
            ("driver", f"{device.driver} {device.driver_version}"),
            ("platform", " ".join(filter(None, [device.platform, device.architecture]))),
            ("kind", device.kind),
            ("PCI bus", device.pci_bus),
            ("memory", format_bytes(device.total_memory)),
            ("compute units", device.compute_units),
            ("warp size", device.warp_size),
            ("threads of a block", threads),
            ("shared memory of a block", format_bytes(device.shared_memory_per_block)),
            ("arguments of a launch", format_bytes(device.parameter_bytes)),
        ],
    )
