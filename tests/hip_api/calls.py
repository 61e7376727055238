"""Calls of HIP's functions in tests."""


def ok(result):
    """Return the outputs of a call that must succeed: none, the only one, or all."""
    from launchpath.hip import reason

    code, *outputs = result
    assert code == 0, f"{code.name}: {reason()}"
    return outputs[0] if len(outputs) == 1 else tuple(outputs) or None


def fails(result, name):
    """Check that a call failed with a code, by its name, and that its outputs are None."""
    from launchpath.hip import reason

    code, *outputs = result
    assert code.name == name, f"{code.name}: {reason()}"
    assert all(output is None for output in outputs)


def compiled(source, name=b"tests.hip"):
    """Compile by hipRTC, and return the code."""
    from launchpath import hiprtc

    program = ok(hiprtc.hiprtcCreateProgram(source, name, 0, None, None))
    ok(hiprtc.hiprtcCompileProgram(program, 0, None))
    code = bytearray(ok(hiprtc.hiprtcGetCodeSize(program)))
    ok(hiprtc.hiprtcGetCode(program, code))
    ok(hiprtc.hiprtcDestroyProgram(program))
    return code
