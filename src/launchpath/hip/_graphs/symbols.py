"""Nodes of graphs that copy to variables of modules, or from them."""

from __future__ import annotations

from typing import Any

from launchpath._memory.array import Array
from launchpath.hip._copies.copies import Copy
from launchpath.hip._copies.kinds import FROM_DEVICE, TO_DEVICE
from launchpath.hip._copies.symbols import part_of
from launchpath.hip._graphs.copies import Copies
from launchpath.hip._graphs.execution import change_node
from launchpath.hip._graphs.graphs import node_of
from launchpath.hip._graphs.nodes import add_node
from launchpath.hip._graphs.params import typed
from launchpath.hip._types.bindings import Error
from launchpath.hip._types.errors import HipError, function


class _SymbolCopy(Copies):
    """A copy of bytes to a variable, or from one. It keeps the module's code, also when the module is unloaded."""

    def __init__(self, dst: Any, src: Any, count: int, kind: Any, variable: Array) -> None:
        super().__init__([Copy(dst, src, kind, (count, 1, count, count))], kind)
        if self.device not in (None, variable.device):
            raise HipError(Error.hipErrorNotSupported, "launchpath.hip does not copy between devices")
        self.device, self.variable = variable.device, variable


def _check_count(count: int) -> None:
    if count <= 0:
        raise HipError(Error.hipErrorInvalidValue, f"expected bytes to copy, got {count}")


def _to_symbol(symbol: Any, src: Any, count: int, offset: int, kind: Any) -> _SymbolCopy:
    variable, place = part_of(symbol, count, offset, kind, TO_DEVICE)
    _check_count(count)
    return _SymbolCopy(place, src, count, kind, variable)


def _from_symbol(dst: Any, symbol: Any, count: int, offset: int, kind: Any) -> _SymbolCopy:
    variable, place = part_of(symbol, count, offset, kind, FROM_DEVICE)
    _check_count(count)
    return _SymbolCopy(dst, place, count, kind, variable)


@function(1)
def hipGraphAddMemcpyNodeToSymbol(
    graph: Any, pDependencies: Any, numDependencies: int, symbol: Any, src: Any, count: int, offset: int, kind: Any
) -> Any:
    """Add a copy of bytes to a variable of a module."""
    return add_node(graph, pDependencies, numDependencies, _to_symbol(symbol, src, count, offset, kind))


@function(1)
def hipGraphAddMemcpyNodeFromSymbol(
    graph: Any, pDependencies: Any, numDependencies: int, dst: Any, symbol: Any, count: int, offset: int, kind: Any
) -> Any:
    """Add a copy of bytes of a variable of a module."""
    return add_node(graph, pDependencies, numDependencies, _from_symbol(dst, symbol, count, offset, kind))


@function()
def hipGraphMemcpyNodeSetParamsToSymbol(node: Any, symbol: Any, src: Any, count: int, offset: int, kind: Any) -> None:
    """Change a copy to one of bytes to a variable of a module."""
    typed(node, Copies)
    node_of(node).work = _to_symbol(symbol, src, count, offset, kind)


@function()
def hipGraphMemcpyNodeSetParamsFromSymbol(node: Any, dst: Any, symbol: Any, count: int, offset: int, kind: Any) -> None:
    """Change a copy to one of bytes of a variable of a module."""
    typed(node, Copies)
    node_of(node).work = _from_symbol(dst, symbol, count, offset, kind)


@function()
def hipGraphExecMemcpyNodeSetParamsToSymbol(
    hGraphExec: Any, node: Any, symbol: Any, src: Any, count: int, offset: int, kind: Any
) -> None:
    """Change a copy of an executable graph to one of bytes to a variable of a module."""
    change_node(hGraphExec, node, _to_symbol(symbol, src, count, offset, kind))


@function()
def hipGraphExecMemcpyNodeSetParamsFromSymbol(
    hGraphExec: Any, node: Any, dst: Any, symbol: Any, count: int, offset: int, kind: Any
) -> None:
    """Change a copy of an executable graph to one of bytes of a variable of a module."""
    change_node(hGraphExec, node, _from_symbol(dst, symbol, count, offset, kind))
