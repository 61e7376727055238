"""Wrong input of the functions of texture objects."""

from .rows import BAD, each, rows

TEXTURES = (BAD, "gone_texture")
LIMITS = "launchpath's own: what it does not support, which the function does not list"
ASKING = (
    "hipGetTextureObjectResourceDesc hipGetTextureObjectTextureDesc hipGetTextureObjectResourceViewDesc "
    "hipTexObjectGetResourceDesc hipTexObjectGetTextureDesc hipTexObjectGetResourceViewDesc"
)
RUNTIME = ("of_array", "reads", None)
MODULE = ("module_array", "module_reads", None)

ROWS = [
    *rows("hipCreateTextureObject", "InvalidValue", *each(0, RUNTIME, None, 0, "no_type", "of_gone")),
    *rows("hipCreateTextureObject", "InvalidValue", *each(1, RUNTIME, None, 0, "no_mode", "no_filter", "no_read")),
    *rows("hipCreateTextureObject", "InvalidValue", *each(0, RUNTIME, "too_long", "empty", "of_nothing", "of_host")),
    *rows("hipCreateTextureObject", "InvalidValue", *each(0, RUNTIME, "of_pinned", "of_gone_memory", "unaligned")),
    *rows("hipCreateTextureObject", "InvalidValue", *each(0, RUNTIME, "narrow", "rowless", "too_many")),
    *rows("hipCreateTextureObject", "InvalidValue", ("of_ints", "linear_filter", None)),
    *rows("hipCreateTextureObject", "NotSupported", *each(0, RUNTIME, "mipmapped")),
    *rows("hipCreateTextureObject", "NotSupported", *each(1, RUNTIME, "srgb", "bordered")),
    *rows("hipCreateTextureObject", "NotSupported", *each(2, RUNTIME, "view")),
    *rows("hipTexObjectCreate", "InvalidValue", *each(0, MODULE, None, "module_gone", "module_flags", "module_format")),
    *rows("hipTexObjectCreate", "InvalidValue", *each(1, MODULE, None, "odd_flags")),
    *rows("hipTexObjectCreate", "NotSupported", *each(2, MODULE, "module_view"), why=LIMITS),
    *rows("hipDestroyTextureObject hipTexObjectDestroy", "InvalidValue", *each(0, (None,), *TEXTURES)),
    *rows(ASKING, "InvalidValue", (None,), *each(0, (None,), *TEXTURES)),
]
