"""Traces and ranges."""

from tests.mistakes.mistake import Mistake

MISTAKES = [
    Mistake("lp.trace(5)", "got the int 5", "the file of a trace", "a str or a path"),
    Mistake("lp.trace('t.lptrace', devise=0)", "no option 'devise'", "a trace", "Did you mean 'device'?"),
    Mistake("lp.trace('t.lptrace', mode='gpu')", "got 'gpu'", "mode", "expected one of host, device, serialized"),
    Mistake("lp.trace(folder + '/no/t.lptrace').start()", "No such file", "/no/t.lptrace", "lp.trace("),
    Mistake("lp.read_trace('no.lptrace')", "No such file", "'no.lptrace'", "expected a trace that can be read"),
    Mistake("lp.read_trace(np.__file__)", "got 22", "numpy", "expected a trace, which begins with"),
    Mistake("with lp.trace() as t, lp.trace() as u: pass", "going on in this process", "a trace to", "end it first"),
    Mistake("trace.start()", "has ended", "the trace to", "make another one"),
    Mistake("trace.export_chrome_trace('t.json')", "no attribute", "a Trace", "use write_perfetto(path)"),
    Mistake("trace.key_averages().table()", "no attribute 'key_averages'", "a Trace", "print(trace.summary())"),
    Mistake("with lp.profiler.profile(): pass", "no attribute 'profiler'", "launchpath", "`with launchpath.trace()"),
    Mistake("for i in lp.range(5): pass", "got the int 5", "the name of a range", "a str"),
]  # fmt: skip
