// Tuples of thrust, which are those of the C++ library. Pairs come along, as with CUDA 12's header.
#pragma once
#include <thrust/pair.h>
extern "C++" {  // programs include it within extern "C", too
#include <tuple>
namespace thrust {
using std::get;
using std::ignore;
using std::make_tuple;
using std::tie;
using std::tuple;
}
}
