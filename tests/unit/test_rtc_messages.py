"""Reading NVRTC's and hipRTC's logs."""

from launchpath._compiler.messages.log import Message
from launchpath._compiler.rtc.text.messages import read


def test_nvrtc():
    log = """/a/user.cu(4): error: identifier "q" is undefined
      *p = q + 1;
           ^

/a/user.cu(3): warning #177-D: variable "unused" was declared but never referenced
  \tint unused = 1;
  \t    ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

1 error detected in the compilation of "k.cu"."""
    assert read(log) == [
        Message("/a/user.cu", 4, 10, "error", 'identifier "q" is undefined'),
        Message("/a/user.cu", 3, 6, "warning", 'variable "unused" was declared but never referenced'),
    ]


def test_columns_are_bytes():
    log = 'u.cu(1): error: expected a ";"\n  const char *s = "höhe" int x;\n                         ^\n'
    assert read(log)[0].column == len('const char *s = "höhe" '.encode()) + 1


def test_where_a_template_was_instantiated():
    log = """/a/x.cuh(2): error: expression must have class type but it has type "int *"
  template<class T> void helper(T t) { t.foo(); }
                                       ^
          detected during instantiation of "void helper(T) [with T=int *]" at line 7 of /a/user.cu
"""
    error, note = read(log)
    assert (error.line, error.level) == (2, "error")
    assert note == Message("/a/user.cu", 7, 0, "note", 'in instantiation of "void helper(T) [with T=int *]"')


def test_several_instantiations_without_a_file():
    log = """u.cu(4): error: identifier "nope" is undefined
    nope();
    ^
          detected during:
            instantiation of "void f(T) [with T=int]" at line 6
            instantiation of "void k(T) [with T=int]" at line 9 of other.cu
"""
    assert [(message.file, message.line) for message in read(log)] == [("u.cu", 4), ("u.cu", 6), ("other.cu", 9)]


def test_a_message_that_goes_on():
    log = """u.cu(1): error: no operator "+" matches these operands
            operand types are: float4 + float4
  __global__ void k(int*p){ a=a+a; }
                             ^
u.cu(1): note #3328-D: built-in operator+ does not match
  __global__ void k(int*p){ a=a+a; }
                             ^
"""
    error, note = read(log)
    assert error.text == 'no operator "+" matches these operands operand types are: float4 + float4'
    assert (error.column, note.level, note.column) == (28, "note", 28)


def test_what_is_repeated_of_the_names_is_left_out():
    log = """u.cu(1): error: identifier "q" is undefined
__nv_name_map(2): error: type name is not allowed"""
    assert [message.file for message in read(log)] == ["u.cu"]
    assert [message.file for message in read(log.splitlines()[1])] == ["__nv_name_map"]


def test_without_a_place():
    assert read("nvrtc: error: invalid value for --gpu-architecture (-arch)")[0].level == "error"
    log = "ptxas application ptx input, line 27; error   : Instruction 'vote' without '.sync' is not supported"
    assert read(log)[0].text.startswith("Instruction 'vote'")
    assert read("ptxas fatal   : Ptx assembly aborted due to errors")[0].level == "error"


def test_a_header_that_is_not_there():
    log = 'k.cu(1): catastrophic error: cannot open source file "mma.h"\n  #include <mma.h>\n                  ^\n'
    assert (read(log)[0].level, read(log)[0].column) == ("fatal error", 17)


def test_hiprtc():
    log = """/a/user.cu:4:10: error: use of undeclared identifier 'q'
    *p = q + 1;
         ^
/a/user.cu:7:5: note: in instantiation of function template specialization 'helper<int *>' requested here
error: unknown argument: '-nonsense'
6 errors generated when compiling for gfx90a."""
    assert [(message.line, message.column, message.level) for message in read(log)] == [
        (4, 10, "error"),
        (7, 5, "note"),
        (0, 0, "error"),
    ]
