"""Examples of the reference: traces."""

import tempfile
from pathlib import Path

import launchpath as lp

fill = lp.compile('extern "C" __global__ void fill(float *out) { out[threadIdx.x] = threadIdx.x; }').fill
out = lp.empty(32)
folder = Path(tempfile.mkdtemp())
file = folder / "run.lptrace"

# %% launchpath.Trace, launchpath.Trace.summary, launchpath.Trace.saved
with lp.trace(file) as trace:
    fill[1, 32](out)
print(trace.summary())
dispatches = trace.saved().dispatches()

# %% launchpath.Trace.start, launchpath.Trace.stop
trace = lp.Trace(folder / "part.lptrace")
trace.start()
fill[1, 32](out)
trace.stop()  # waits until what is in flight is complete

# %% launchpath.Trace.pause, launchpath.Trace.resume
with lp.trace(folder / "paused.lptrace") as trace:
    fill[1, 32](out)
    trace.pause()
    fill[1, 32](out)  # not recorded
    trace.resume()

# %% launchpath.Trace.flush
with lp.trace(folder / "flushed.lptrace") as trace:
    fill[1, 32](out)
    trace.flush()  # now the file has what is complete, whatever happens later

# %% launchpath.mark
with lp.trace(folder / "marked.lptrace"):
    lp.mark("first result", payload=1)
    fill[1, 32](out)

# %% launchpath.read_trace, launchpath.SavedTrace, launchpath.SavedTrace.summary
saved = lp.read_trace(file)  # several files, too: of the ranks of a program
print(saved.summary())

# %% launchpath.SavedTrace.dispatches, launchpath.Trace.dispatches
(table,) = saved.dispatches()  # a table for each file: arrays by the names of columns
assert table["name"].tolist().count("fill") == 1
durations = table["ended"] - table["started"]  # nanoseconds on the device

# %% launchpath.SavedTrace.calls, launchpath.Trace.calls
(table,) = saved.calls()
print(table["name"], table["end"] - table["begin"])

# %% launchpath.SavedTrace.ranges, launchpath.Trace.ranges
(table,) = lp.read_trace(folder / "marked.lptrace").ranges()
assert "first result" in table["name"].tolist()

# %% launchpath.SavedTrace.streams, launchpath.Trace.streams
(table,) = saved.streams()

# %% launchpath.SavedTrace.findings, launchpath.Trace.findings
for finding in saved.findings().findings:
    print(finding)

# %% launchpath.SavedTrace.sql, launchpath.Trace.sql
answer = saved.sql("select name, count(*) as launches from dispatches group by name")  # with the extra `trace`
print(answer.to_pydict())

# %% launchpath.SavedTrace.to_pandas, launchpath.Trace.to_pandas
frame = saved.to_pandas()
print(frame.groupby("name").size())

# %% launchpath.SavedTrace.write_csv, launchpath.Trace.write_csv
saved.write_csv(folder / "kernels.csv")

# %% launchpath.SavedTrace.write_parquet, launchpath.Trace.write_parquet
saved.write_parquet(folder / "parquet")

# %% launchpath.SavedTrace.write_perfetto, launchpath.Trace.write_perfetto
saved.write_perfetto(folder / "run.perfetto")  # open it at ui.perfetto.dev
