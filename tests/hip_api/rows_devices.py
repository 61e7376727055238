"""Wrong input of the functions of devices and contexts."""

from .rows import BAD, FAR, rows

NUMBERS = ((-1,), (FAR,))
VALUE = "AMD's runtime checks it, and lists the codes of devices only"
PRIMARY = "AMD's documentation of the function lists no failure; its runtime returns it for a wrong device"
ENUM = "AMD's runtime returns it for a number that is none of the enum's"
UNRELEASED = "AMD's runtime counts nothing; CUDA's returns it"

ROWS = [
    *rows("hipDrvGetErrorName hipDrvGetErrorString", "InvalidValue", (123456,), (-1,)),
    *rows("hipInit", "InvalidValue", (1,)),
    *rows("hipSetDevice hipDeviceGet hipDeviceTotalMem hipDeviceComputeCapability", "InvalidDevice", *NUMBERS),
    *rows("hipGetDeviceProperties hipDeviceGetUuid", "InvalidDevice", *NUMBERS),
    *rows("hipDeviceGetName hipDeviceGetPCIBusId", "InvalidDevice", (64, -1), (64, FAR)),
    *rows("hipDeviceGetName", "InvalidValue", (0, "number"), (-1, "number"), why=VALUE),
    *rows("hipDeviceGetAttribute", "InvalidDevice", (0, -1), (0, FAR)),
    *rows("hipDeviceGetAttribute", "InvalidValue", (987654, "number"), (-1, "number")),
    *rows("hipDeviceCanAccessPeer", "InvalidDevice", (FAR, "number"), ("number", FAR), (-1, "number"), ("number", -1)),
    *rows("hipDeviceEnablePeerAccess", "InvalidDevice", (FAR, 0), (-1, 0), ("number", 0)),
    *rows("hipDeviceEnablePeerAccess", "InvalidValue", ("another", 1)),
    *rows("hipDeviceDisablePeerAccess", "PeerAccessNotEnabled", ("number",), ("another",)),
    *rows("hipDeviceDisablePeerAccess", "InvalidDevice", *NUMBERS, why=VALUE),
    *rows("hipChooseDevice", "InvalidValue", (None,), (0,)),
    *rows("hipDeviceGetByPCIBusId", "InvalidValue", (b"",), (b"nonsense",), (None,)),
    *rows("hipDeviceGetByPCIBusId", "InvalidDevice", (b"ffff:ff:1f.7",)),
    *rows("hipDeviceGetP2PAttribute", "InvalidDevice", (2, FAR, "number"), (2, "number", -1), (2, "number", "number")),
    *rows("hipDeviceGetP2PAttribute", "InvalidValue", (99, "number", "another"), why=VALUE),
    *rows("hipGetStreamDeviceId", "InvalidHandle", (BAD,), ("gone_stream",), why="AMD's returns a number, not a code"),
    *rows("hipDeviceGetLimit", "InvalidValue", (99,), (-1,)),
    *rows("hipDeviceGetLimit", "UnsupportedLimit", (0,)),
    *rows("hipDeviceSetLimit", "InvalidValue", (99, 1), (-1, 1)),
    *rows("hipDeviceSetLimit", "UnsupportedLimit", (0, 1)),
    *rows("hipDeviceSetCacheConfig hipCtxSetCacheConfig", "InvalidValue", (99,), (-1,), why=ENUM),
    *rows("hipCtxSetSharedMemConfig", "InvalidValue", (99,), why=ENUM),
    *rows("hipDeviceSetSharedMemConfig", "InvalidValue", (99,), (-1,)),
    *rows("hipSetDeviceFlags", "InvalidValue", (1 << 20,), (3,), why="AMD's runtime returns it for unknown flags"),
    *rows("hipProfilerStart hipProfilerStop", "NotSupported", ()),
    *rows("hipCtxCreate", "InvalidValue", (0, FAR), (0, -1), (1 << 20, "number"), why=PRIMARY),
    *rows("hipCtxDestroy", "InvalidValue", (None,), (BAD,), ("gone_context",), ("primary",)),
    *rows("hipCtxSetCurrent", "InvalidContext", (BAD,), ("gone_context",)),
    *rows("hipCtxPushCurrent", "InvalidContext", (None,), (BAD,), ("gone_context",)),
    *rows("hipCtxPopCurrent", "InvalidContext", ()),
    *rows("hipCtxGetApiVersion", "InvalidContext", (BAD,), ("gone_context",), why="AMD's does not check the context"),
    *rows("hipCtxEnablePeerAccess", "InvalidValue", (None, 0), (BAD, 0), ("gone_context", 0)),
    *rows("hipCtxEnablePeerAccess", "InvalidDevice", ("context", 0)),
    *rows("hipCtxDisablePeerAccess", "PeerAccessNotEnabled", ("context",)),
    *rows("hipCtxDisablePeerAccess", "InvalidContext", (BAD,), ("gone_context",), why="no listed code fits"),
    *rows("hipDevicePrimaryCtxGetState hipDevicePrimaryCtxRetain", "InvalidDevice", *NUMBERS, why=PRIMARY),
    *rows("hipDevicePrimaryCtxRelease hipDevicePrimaryCtxReset", "InvalidDevice", *NUMBERS, why=PRIMARY),
    *rows("hipDevicePrimaryCtxRelease", "InvalidContext", ("number",), why=UNRELEASED),
    *rows("hipDevicePrimaryCtxSetFlags", "InvalidDevice", (FAR, 0), (-1, 0), why=PRIMARY),
    *rows("hipDevicePrimaryCtxSetFlags", "InvalidValue", ("number", 1 << 20), why=ENUM),
    *rows("hipDevicePrimaryCtxSetFlags", "ContextAlreadyInUse", ("number", 1)),
]
