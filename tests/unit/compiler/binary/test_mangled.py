"""What mangled names say of parameters."""

import pytest

from launchpath._compiler.kernels import mangled


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("_Z5saxpyPKfPffi", [("const float *", "pointer", "float32", True), ("float *", "pointer", "float32", False),
                             ("float", "float32", None, False), ("int", "int32", None, False)]),
        ("_Z1kv", []),
        ("_Z1kIfEvPT_6__halfPv", [("float *", "pointer", "float32", False), ("__half", "float16", None, False),
                                  ("void *", "pointer", None, False)]),
        ("_Z1kPPKih", [("int const* *", "pointer", None, False), ("unsigned char", "uint8", None, False)]),
        ("_ZN1a1kENS_1SEbPKc", [("a::S", None, None, False), ("bool", "bool", None, False), ("const char *", "pointer", None, True)]),
    ],
)  # fmt: skip
def test_types(name, types):
    parameters = mangled.parameters(name)
    assert [parameter[1:] for parameter in parameters] == [parameter[1:] for parameter in types]
    assert [parameter[0].replace(" ", "") for parameter in parameters] == [
        parameter[0].replace(" ", "") for parameter in types
    ]


@pytest.mark.parametrize("name", ["plain", "", "_Z", "_Znonsense", "_Z5saxpy"])
def test_no_types(name):
    assert mangled.parameters(name) is None


def test_without_the_cpp_library(monkeypatch):
    monkeypatch.setattr(mangled, "_function", lambda: None)
    assert mangled.parameters("_Z1ki") == [("int", "int32", None, False)]
    assert mangled.parameters("_ZTX1ki") is None
