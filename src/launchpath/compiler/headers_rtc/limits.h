// C's limits of integers.
#pragma once
#include <launchpath/limits.h>
