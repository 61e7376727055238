#pragma once
#include <rocrand/rocrand.h>
