"""Watches: an answer holds until a dict changes, or a list is not empty any more."""

from typing import Any

from launchpath import _core


class Looks:
    def __init__(self, reason: str | None = None) -> None:
        self.reason, self.dicts, self.lists, self.count = reason, [{"a": 1}, {}], [[]], 0

    def __call__(self) -> Any:
        self.count += 1
        return self.reason, self.dicts, self.lists


def test_answer_is_asked_for_once() -> None:
    looks = Looks()
    watch = _core.FastWatch(looks)
    assert watch.check() is None
    before = looks.count
    assert [watch.check() for _ in range(5)] == [None] * 5
    assert looks.count == before


def test_change_of_a_dict_is_seen() -> None:
    looks = Looks()
    watch = _core.FastWatch(looks)
    watch.check()
    for change in (lambda d: d.update(b=2), lambda d: d.update(a=3), lambda d: d.pop("a"), lambda d: d.clear()):
        change(looks.dicts[0])
        looks.reason = "changed"
        assert watch.check() == "changed"
        looks.reason = None
        looks.dicts[1]["again"] = object()
        assert watch.check() is None


def test_attribute_of_an_object_is_seen() -> None:
    class Knobs:
        hook: object = None

    knobs = Knobs()
    watch = _core.FastWatch(lambda: ("set" if knobs.hook else None, [vars(knobs)], []))
    assert watch.check() is None
    knobs.hook = print
    assert watch.check() == "set"
    del knobs.hook
    assert watch.check() is None


def test_list_that_is_filled_is_seen() -> None:
    hooks: list[object] = []
    watch = _core.FastWatch(lambda: ("hooks" if hooks else None, [], [hooks]))
    assert watch.check() is None
    hooks.append(print)
    assert watch.check() == "hooks"
    hooks.clear()
    assert watch.check() is None


def test_look_that_changes_what_it_depends_on_never_allows() -> None:
    state: dict[str, int] = {}

    def look() -> Any:
        state["n"] = state.get("n", 0) + 1
        return None, [state], []

    assert _core.FastWatch(look).check() == "it changes all the time"


def test_too_many_dicts_are_not_allowed() -> None:
    assert _core.FastWatch(lambda: (None, [{} for _ in range(30)], [])).check() == "too much that it depends on"


def test_error_of_a_look_is_a_reason() -> None:
    def look() -> Any:
        raise KeyError("moved")

    watch = _core.FastWatch(look)
    assert watch.check() == "launchpath does not understand it (KeyError: 'moved')"
