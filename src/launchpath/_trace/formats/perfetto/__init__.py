"""Traces for Perfetto: a protobuf file that ui.perfetto.dev and the trace processor read."""

from launchpath._trace.formats.perfetto.writing import write_perfetto

__all__ = ["write_perfetto"]
