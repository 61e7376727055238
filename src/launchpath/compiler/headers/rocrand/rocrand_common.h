#pragma once
#include <rocrand/rocrand_kernel.h>
