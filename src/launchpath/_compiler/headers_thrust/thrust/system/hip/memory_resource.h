// rocThrust's name of it.
#pragma once
#include <thrust/system/cuda/memory_resource.h>
