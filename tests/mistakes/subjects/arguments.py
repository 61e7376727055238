"""Arguments of kernels: their number, types and values."""

from tests.mistakes.mistake import Mistake

MISTAKES = [
    Mistake("program.fill[4, 256](x)", "expected 2 arguments, got 1", "fill(float *out, int n)", "pass 'n' too"),
    Mistake("program.fill[4, 256](x, n, 5)", "got 3", "fill(float *out, int n)", "expected 2 arguments"),
    Mistake("program.fill[4, 256]([x, n])", "got 1", "fill(float *out, int n)", "pass the items of the list one by one"),
    Mistake("program.fill[4, 256](host, n)", "a ndarray in host memory", "parameter 0 (float *out)", "launchpath.asarray"),
    Mistake("program.scale[4, 256](x, n)", "got an array of float32", "parameter 0 (double *x)", 'array.astype("float64")'),
    Mistake("program.fill[4, 256](x, 3.5)", "got the float 3.5", "parameter 1 (int n)", "convert it with int()"),
    Mistake("program.fill[4, 256](x, np.float64(2))", "got the float64", "parameter 1 (int n)", "convert it with int()"),
    Mistake("program.fill[4, 256](x, 1 << 40)", "got 1099511627776", "parameter 1 (int n)", "as long long"),
    Mistake("program.fill[4, 256](x, None)", "got None", "parameter 1 (int n)", "expected an int"),
    Mistake("program.fill[4, 256](x, '5')", "got the str '5'", "parameter 1 (int n)", "expected an int"),
    Mistake("program.fill[4, 256](x.pointer, n)", "got the int", "parameter 0 (float *out)", "launchpath.DevicePointer"),
    Mistake("program.fill[4, 256]([1.0, 2.0], n)", "got the list", "parameter 0 (float *out)", "launchpath.asarray"),
    Mistake("program.fill[4, 256](x, nn=3)", "no parameter 'nn'", "fill(float *out, int n)", "Did you mean 'n'?"),
    Mistake("import ctypes; program.fill[4, 256](x, ctypes.c_float(3))", "got ctypes.c_float", "parameter 1 (int n)",
        "pass ctypes.c_int32"),
    Mistake("program.fill[4, 256](lp.In(host), n)", "would lose the result", "parameter 0 (float *out)",
        "use launchpath.InOut"),
    Mistake("program.fill[4, 256](lp.Out(np.zeros(1000)), n)", "launchpath.Out of float64", "parameter 0 (float *out)",
        "wrap an array of float32"),
    Mistake("lp.Out(np.zeros((10, 10), 'float32').T)", "strides (4, 40)", "launchpath.Out", "numpy.ascontiguousarray"),
    Mistake("host.flags.writeable = False; lp.Out(host)", "a read-only array", "launchpath.Out", "use launchpath.In"),
    Mistake("program.fill[4, 256](lp.In([1, 2, 3]), n)", "got a list", "launchpath.In", "numpy.asarray"),
    Mistake("program.fill[4, 256](x[::2], n)", "slice(None, None, 2)", "of shape (1000,)", "pass the whole array and the steps"),
    Mistake("program.move[1, 1](5, x)", "got the int 5", "parameter 0 (Params p)", "a NumPy structured scalar"),
    Mistake("program.place[1, 1](5, x)", "got the int 5", "parameter 0 (float3 at)", "expected"),
]  # fmt: skip
