// Pairs of thrust, which are those of the C++ library.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <utility>
namespace thrust {
using std::get;
using std::make_pair;
using std::pair;
using std::swap;
using std::tuple_element;
using std::tuple_size;
}
}
