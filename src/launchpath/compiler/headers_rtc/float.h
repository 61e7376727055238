// C's limits of floats.
#pragma once
#include <launchpath/float.h>
