// hipCUB's tuples are rocPRIM's, which are laid out and used like the library's.
#pragma once
#include <tuple>
#include <hipcub/hipcub.hpp>
namespace hipcub {
using std::tuple;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
}
