"""Wrong input of the functions of modules, libraries and kernels, launches apart."""

from .rows import BAD, FAR, each, rows

MODULES = (None, BAD, "gone_module")
LIBRARIES = (None, BAD, "gone_library")
KERNELS = (None, BAD, "gone_kernel")
OF_LIBRARIES = (None, BAD, "gone_library_kernel")
LOAD = (1, None, 0, None, 0)
IMAGE = "AMD's runtime returns it for bytes that are no program"
NULL = "AMD's runtime returns it for no bytes, and for no name"
MODULE = "AMD's runtime returns it for a module that is null (its old name is hipErrorInvalidResourceHandle)"
HINT = "AMD's runtime checks it; the documentation lists hipErrorNotInitialized only"
OPTIONS = "launchpath's own: hip-python does not pass what the options are"
MISSING = "AMD's runtime returns it for a name that the library does not have"
NAME = "AMD's returns a name, not a code"

ROWS = [
    *rows("hipModuleLoad", "InvalidValue", (None,), (b"",), ("place",)),
    *rows("hipModuleLoad", "FileNotFound", (b"/nowhere/none.co",)),
    *rows("hipModuleLoadData", "InvalidValue", (None,), (0,), why=NULL),
    *rows("hipModuleLoadData", "InvalidImage", (b"no program",), (b"",), why=IMAGE),
    *rows("hipModuleLoadDataEx", "InvalidValue", (None, 0, None), why=NULL),
    *rows("hipModuleLoadDataEx", "InvalidImage", (b"no program", 0, None), why=IMAGE),
    *rows("hipModuleLoadDataEx", "NotSupported", ("code", 1, None), why=OPTIONS),
    *rows("hipModuleLoadFatBinary", "InvalidValue", (None,)),
    *rows("hipModuleLoadFatBinary", "InvalidImage", (b"no program",), why=IMAGE),
    *rows("hipModuleUnload", "InvalidHandle", *each(0, (None,), *MODULES)),
    *rows("hipModuleGetFunction hipModuleGetGlobal", "InvalidHandle", *each(0, (None, b"scale"), *MODULES), why=MODULE),
    *rows("hipModuleGetFunction hipModuleGetGlobal", "InvalidValue", ("module", None), ("module", b"")),
    *rows("hipModuleGetFunction hipModuleGetGlobal", "NotFound", ("module", b"nobody")),
    *rows("hipModuleGetFunctionCount", "InvalidHandle", *each(0, (None,), *MODULES), why=MODULE),
    # Libraries.
    *rows("hipLibraryLoadData", "InvalidValue", *each(0, LOAD, None, b"no program"), ("code", None, 1, None, 0)),
    *rows("hipLibraryLoadData", "InvalidValue", ("code", None, 0, None, 1)),
    *rows("hipLibraryLoadFromFile", "InvalidValue", *each(0, LOAD, None, b"", b"/nowhere/none.co")),
    *rows("hipLibraryUnload hipLibraryGetKernelCount", "InvalidValue", *each(0, (None,), *LIBRARIES)),
    *rows("hipLibraryGetKernel", "InvalidValue", *each(0, (None, b"scale"), *LIBRARIES)),
    *rows("hipLibraryGetKernel", "InvalidValue", ("library", None), ("library", b"")),
    *rows("hipLibraryGetKernel", "NotFound", ("library", b"nobody"), why=MISSING),
    *rows("hipLibraryGetGlobal", "InvalidHandle", *each(0, (None, b"counters"), *LIBRARIES)),
    *rows("hipLibraryGetGlobal", "InvalidValue", ("library", None)),
    *rows("hipLibraryGetGlobal", "NotFound", ("library", b"nobody")),
    *rows("hipKernelGetFunction hipKernelGetLibrary hipKernelGetName", "InvalidValue", *each(0, (0,), *OF_LIBRARIES)),
    *rows("hipKernelGetParamInfo", "InvalidValue", *each(0, (None, 0), *OF_LIBRARIES)),
    *rows("hipKernelGetParamInfo", "InvalidValue", ("library_kernel", 3), ("library_kernel", -1)),
    *rows("hipKernelGetAttribute", "InvalidHandle", *each(1, (0, None, "number"), *OF_LIBRARIES)),
    *rows("hipKernelGetAttribute", "InvalidValue", *each(0, (0, "library_kernel", "number"), 99, -1)),
    *rows("hipKernelGetAttribute", "InvalidDevice", (0, "library_kernel", FAR), (0, "library_kernel", -1)),
    *rows("hipKernelSetAttribute", "InvalidHandle", *each(2, (8, 0, None, "number"), *OF_LIBRARIES)),
    *rows(
        "hipKernelSetAttribute",
        "InvalidValue",
        (99, 0, "library_kernel", "number"),
        (8, 1 << 30, "library_kernel", "number"),
    ),
    *rows("hipKernelSetAttribute", "InvalidDevice", (8, 0, "library_kernel", FAR)),
    # Functions.
    *rows("hipFuncGetAttribute", "InvalidDeviceFunction", *each(1, (0, None), *KERNELS)),
    *rows("hipFuncGetAttribute", "InvalidValue", (99, "kernel"), (-1, "kernel")),
    *rows("hipFuncGetAttributes hipGetFuncBySymbol", "InvalidDeviceFunction", *each(0, (None,), *KERNELS)),
    *rows("hipFuncSetAttribute", "InvalidDeviceFunction", *each(0, (None, 8, 0), *KERNELS)),
    *rows("hipFuncSetAttribute", "InvalidValue", ("kernel", 99, 0), ("kernel", 8, -1), ("kernel", 8, 1 << 30)),
    *rows("hipFuncSetAttribute", "InvalidValue", ("kernel", 9, 101), ("kernel", 9, -2)),
    *rows("hipFuncSetCacheConfig", "InvalidDeviceFunction", *each(0, (None, 0), *KERNELS), why=HINT),
    *rows("hipFuncSetCacheConfig", "InvalidValue", ("kernel", 99), why=HINT),
    *rows("hipFuncSetSharedMemConfig", "InvalidDeviceFunction", *each(0, (None, 0), *KERNELS)),
    *rows("hipFuncSetSharedMemConfig", "InvalidValue", ("kernel", 99)),
    *rows("hipKernelNameRef", "InvalidValue", *each(0, (None,), *KERNELS)),
    *rows("hipKernelNameRefByPtr", "InvalidDeviceFunction", *each(0, (None, None), *KERNELS), why=NAME),
    *rows("hipOccupancyAvailableDynamicSMemPerBlock", "InvalidDeviceFunction", *each(0, (None, 1, 32), *KERNELS)),
    *rows("hipOccupancyAvailableDynamicSMemPerBlock", "InvalidValue", ("kernel", 0, 32), ("kernel", 1, 0)),
    *rows("hipOccupancyMaxActiveBlocksPerMultiprocessor", "InvalidDeviceFunction", *each(0, (None, 32, 0), *KERNELS)),
    *rows("hipOccupancyMaxActiveBlocksPerMultiprocessor", "InvalidValue", ("kernel", 0, 0), ("kernel", -1, 0)),
    *rows(
        "hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
        "InvalidDeviceFunction",
        *each(0, (None, 32, 0, 0), *KERNELS),
    ),
    *rows(
        "hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
        "InvalidValue",
        *[("kernel", 0, 0, 0), ("kernel", 32, 0, 77)],
    ),
    *rows(
        "hipOccupancyMaxPotentialBlockSize hipModuleOccupancyMaxPotentialBlockSize",
        "InvalidValue",
        *each(0, (None, 0, 0), *KERNELS),
    ),
    *rows("hipModuleOccupancyMaxPotentialBlockSizeWithFlags", "InvalidValue", *each(0, (None, 0, 0, 0), *KERNELS)),
    *rows("hipModuleOccupancyMaxPotentialBlockSizeWithFlags", "InvalidValue", ("kernel", 0, 0, 77)),
    *rows("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", "InvalidValue", *each(0, (None, 32, 0), *KERNELS)),
    *rows("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", "InvalidValue", ("kernel", 0, 0)),
    *rows(
        "hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
        "InvalidValue",
        *each(0, (None, 32, 0, 0), *KERNELS),
        *[("kernel", 0, 0, 0), ("kernel", 32, 0, 77)],
    ),
    *rows(
        "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor hipOccupancyMaxActiveBlocksPerMultiprocessor",
        "InvalidValue",
        ("kernel", 32, -1),
    ),
    *rows(
        "hipModuleOccupancyMaxPotentialBlockSize hipOccupancyMaxPotentialBlockSize",
        "InvalidValue",
        *[("kernel", -1, 0), ("kernel", 1 << 30, 0), ("kernel", 0, -1)],
    ),
    # Arguments on the stack of calls.
    *rows("hipConfigureCall", "InvalidValue", (None, "dim", 0, None), ("dim", None, 0, None)),
    *rows("hipSetupArgument", "InvalidValue", ("place", 8, 0), (None, 8, 0)),
    *rows("hipLaunchByPtr", "InvalidValue", (None,), ("kernel",)),
]
