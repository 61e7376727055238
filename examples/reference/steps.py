"""Examples of the reference: steps and graphs."""

import launchpath as lp

SOURCE = """
extern "C" __global__ void move(float *x, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by;
}"""
move = lp.compile(SOURCE).move
n = 1000
x = lp.zeros(n)
stream = lp.Stream()

# %% launchpath.Step.report, launchpath.StepReport
step = lp.Step()
for t in range(100):
    with step:
        move[4, 256](x, 0.5, n)
        move[4, 256](x, t, n)
report = step.report()
print(report)  # what was submitted together, and what was not, and why
assert report.runs == 100

# %% launchpath.FrozenStep, launchpath.FrozenStep.launch, launchpath.FrozenStep.report
with step:
    move[4, 256](x, 0.5, n)
frozen = step.freeze()
for _ in range(100):
    frozen.launch()  # the same launches, with the same arguments
print(frozen.report())

# %% launchpath.Graph, launchpath.Graph.instantiate
stream.begin_capture()
move[4, 256, stream](x, 0.5, n)
move[4, 256, stream](x, 0.25, n)
graph = stream.end_capture()
assert len(graph) == 2
executable = graph.instantiate()

# %% launchpath.ExecutableGraph, launchpath.ExecutableGraph.launch
for _ in range(100):
    executable.launch(stream)

# %% launchpath.ExecutableGraph.update
stream.begin_capture()
move[4, 256, stream](x, 2, n)
move[4, 256, stream](x, 3, n)
executable.update(stream.end_capture())  # the same kernels, with other arguments
executable.launch(stream)

# %% launchpath.ExecutableGraph.report
print(executable.report())
