#pragma once
#include <launchpath/half/bfloat16.h>
