"""HIP's own API, and CUDA's names."""

from tests.mistakes.mistake import Mistake

MISTAKES = [
    Mistake("lp.hipMalloc(400)", "no attribute 'hipMalloc'", "module 'launchpath'", "from launchpath import hip"),
    Mistake("lp.cudaMalloc(400)", "no attribute 'cudaMalloc'", "module 'launchpath'", "launchpath.hip.hipMalloc"),
    Mistake("hip.cudaMemcpy(1, 2, 3)", "no attribute 'cudaMemcpy'", "module 'launchpath.hip'", "use hipMemcpy"),
    Mistake("hip.hipMallo(5)", "no attribute 'hipMallo'", "module 'launchpath.hip'", "Did you mean 'hipMalloc'?"),
    Mistake("hip.hipMalloc('400')", "got '400'", "hipMalloc: size", "expected a size_t"),
    Mistake("hip.hipMalloc(2e3); raise ValueError(hip.reason())", "got 2000.0", "size", "expected an integer, size_t"),
    Mistake("hip.hipMemcpy(1, 2, 3, None); raise ValueError(hip.reason())", "got None", "kind", "expected a hipMemcpyKind"),
    Mistake("hip.hipMemcpy(x, host, 12, 1)", "got <Array", "hipMemcpy: dst", "expected a void *"),
    Mistake("hip.hipMemcpy(1, 2, 3)", "missing 1 required", "hipMemcpy()", "'kind'"),
    Mistake("from launchpath.hip import hipblas", "cannot import name 'hipblas'", "launchpath.hip", "use hip-python's"),
    Mistake("hip.hipBindTexture2D()", "does not support this function", "launchpath.hip.hipBindTexture2D", "of HIP"),
]  # fmt: skip
