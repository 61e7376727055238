"""Parts, and the bytes of them that go between processes."""

from dataclasses import fields
from pathlib import Path

from launchpath._trace.condensed import packing
from launchpath._trace.condensed.columns import Row
from launchpath._trace.executors.inputs import LeftOut
from launchpath._trace.executors.part import Part
from tests.trace.executors.files import inputs_of, sums, traces


def test_fields_of_rows_are_in_the_order_of_their_files() -> None:
    assert [each.name for each in fields(Row)] == [*packing._ROW, "buckets"]


def test_parts_merge_in_any_tree(tmp_path: Path) -> None:
    paths = traces(tmp_path, 7)
    inputs = inputs_of(paths)
    first, second, third = (Part.of(each) for each in (inputs[4:], inputs[:1], inputs[1:4]))
    second.left_out.append(LeftOut("odd\udcff", "no trace"))
    second.merge(Part.unpack(third.pack()))
    whole = Part.unpack(second.pack())
    whole.merge(first)
    assert packing.pack(whole.condensed) == sums(paths) and whole.left_out == [("odd\udcff", "no trace")]
