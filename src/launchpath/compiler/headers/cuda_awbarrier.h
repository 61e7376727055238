#pragma once
#include <cuda/barrier>
