"""Signatures as JSON."""

import dataclasses
import json

import pytest

from launchpath._compiler.cache import signature_json
from launchpath._compiler.cache.signature_json import from_json, to_json
from launchpath._compiler.signature import Parameter, Signature
from launchpath.errors import ArgumentValueError

KINDS = [
    ("pointer", 8, "float32"), ("pointer", 8, None), ("int8", 1, None), ("uint16", 2, None), ("int32", 4, None),
    ("uint64", 8, None), ("float16", 2, None), ("float32", 4, None), ("float64", 8, None), ("bool", 1, None),
]  # fmt: skip


def signature() -> Signature:
    parameters, offset = [], 0
    for i, (kind, size, pointee) in enumerate(KINDS):
        offset = -(-offset // size) * size
        parameters.append(Parameter(f"p{i}", "const T *", kind, size, size, offset, pointee, i == 0))
        offset += size
    offset = -(-offset // 16) * 16
    element = Parameter("", "float", "float32", 4, 4, 0)
    inner = Parameter("inner", "Pair", "struct", 4, 4, 8, no_members="Pair has a base")
    rows = Parameter("rows", "float[2][1]", "struct", 8, 4, 0, members=(element,), shape=(2, 1))
    parameters.append(Parameter("s", "Point<float>", "struct", 12, 16, offset, members=(rows, inner)))
    return Signature("ns::k<float, 64>", tuple(parameters), offset + 16, 4096, True, 256)


def through_json(value: Signature) -> object:
    return json.loads(json.dumps(to_json(value)))


def test_there_and_back():
    for value in (signature(), Signature("empty")):
        again = from_json(through_json(value))
        assert again == value
        assert type(again.parameters) is tuple
        hash(again)


def test_every_field_is_checked():
    """A field that is added to the signature must be added to the checks as well."""
    for cls, types in ((Signature, signature_json._SIGNATURE), (Parameter, signature_json._PARAMETER)):
        assert [field.name for field in dataclasses.fields(cls)] == list(types)


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Signature)])
@pytest.mark.parametrize("value", [[1], {}, -1, 1 << 31, 1.5, True])
def test_wrong_types_and_numbers(field, value):
    data = through_json(signature())
    if field in ("dynamic_shared", "warps", "block", "writes_block") and value is True:
        return
    with pytest.raises(ArgumentValueError):
        from_json({**data, field: value})


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Parameter)])
@pytest.mark.parametrize("value", [[1], {}, -1, 1 << 31, 1.5])
def test_wrong_types_and_numbers_in_parameters(field, value):
    data = through_json(signature())
    data["parameters"][3][field] = value
    with pytest.raises(ArgumentValueError):
        from_json(data)


@pytest.mark.parametrize(
    ("index", "change"),
    [
        (0, {"kind": "pointers"}),
        (0, {"pointee": "float31"}),
        (0, {"size": 4}),
        (1, {"offset": 0}),  # in another
        (1, {"offset": 12}),  # not aligned
        (1, {"align": 3}),
        (1, {"align": 0}),
        (-1, {"offset": 1 << 20}),  # past the end
        (-1, {"size": 17}),
        (-1, {"size": 0}),
    ],
)
def test_what_contradicts_itself(index, change):
    data = through_json(signature())
    data["parameters"][index].update(change)
    with pytest.raises(ArgumentValueError, match=r"parameter|end at"):
        from_json(data)


@pytest.mark.parametrize(
    ("index", "change"),
    [
        (0, {"shape": [3, 1]}),  # more bytes than it has
        (0, {"shape": [0]}),
        (0, {"shape": [-2, -1]}),
        (0, {"shape": []}),  # its element has no name
        (0, {"kind": "float64"}),
        (0, {"members": []}),
        (1, {"offset": 12}),  # past the struct's end
        (1, {"offset": 4}),  # in the field before
        (1, {"name": ""}),
    ],
)
def test_fields_that_contradict_the_struct(index, change):
    data = through_json(signature())
    data["parameters"][-1]["members"][index].update(change)
    with pytest.raises(ArgumentValueError, match="in the signature of"):
        from_json(data)


def test_structs_in_structs_without_an_end():
    data = through_json(signature())
    inner = data["parameters"][-1]["members"][1]
    for _ in range(200):
        inner = {**inner, "offset": 0, "members": [inner]}
    data["parameters"][-1]["members"] = [inner]
    with pytest.raises(ArgumentValueError, match="more than 100 others"):
        from_json(data)


@pytest.mark.parametrize("change", [{"size": 8}, {"size": 0}, {"max_threads": 0}, {"more": 1}])
def test_signatures_that_contradict_themselves(change):
    with pytest.raises(ArgumentValueError):
        from_json({**through_json(signature()), **change})


@pytest.mark.parametrize("data", [None, [], "k", {}, {"name": "k"}])
def test_what_is_no_signature(data):
    with pytest.raises(ArgumentValueError, match="a signature: expected an object with name, parameters"):
        from_json(data)


def test_what_was_saved_before_the_reason_was():
    data = through_json(signature())
    del data["no_fields"]
    assert from_json(data) == signature()


def test_what_was_saved_before_the_fields_were():
    data = through_json(signature())
    for name in ("members", "shape", "no_members"):
        del data["parameters"][-1][name]
    assert from_json(data).parameters[-1] == dataclasses.replace(signature().parameters[-1], members=())
