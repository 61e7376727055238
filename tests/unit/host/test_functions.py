"""Kernels of programs with host code: what is said where one is not there."""

import pytest

from launchpath import _core
from launchpath._compiler.kernels.mangled import demangled
from launchpath._host.runtime import functions, told
from launchpath.errors import SymbolError


def test_a_kernel_that_is_not_there_is_told_once_though_the_program_asks_for_no_error(monkeypatch, capsys):
    class Binary:
        @staticmethod
        def program(_device):
            raise SymbolError("expected the kernel k, got none")

    monkeypatch.setattr(_core, "host_function_at", lambda _address: (1, 2, "k"))
    monkeypatch.setattr(functions, "binary_of", lambda _number, _wrapper: Binary)
    monkeypatch.setattr(functions.variables, "check_managed", lambda _number, _device: None)
    monkeypatch.setattr(told, "_told", set())
    for _ in range(2):
        with pytest.raises(SymbolError):
            functions.handle_at(4096, None)
    assert capsys.readouterr().err == "launchpath: expected the kernel k, got none\n"


class Named:
    def __init__(self, name):
        self.name = name


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("void k<std::__1::array<float, 4ul>>(int*)", "k<std::array<float, 4>>"),
        ("void k<128u>(int*)", "k<128u>"),
        ("void k<7ul>(int*)", None),  # either of two
        ("void other(int*)", None),
    ],
)
def test_names_of_other_compilers_stand_for_a_kernel_where_they_are_one_kernels(name, found):
    class Program(list):
        _image = type("Image", (), {"kernels": (), "functions": {}})

    program = Program(map(Named, ["k<std::array<float, 4>>", "k<128u>", "k<7>", "k<7u>"]))
    if found is None:
        with pytest.raises(SymbolError):
            functions.kernel_of(program, name)
    else:
        assert functions.kernel_of(program, name).name == found


def test_the_kernel_of_a_parameter_whose_type_is_deduced_has_a_name_that_older_libraries_read():
    assert demangled("_Z7of_autoITnDaLi5EEvPi") == "void of_auto<5>(int*)"
