#pragma once
#include <launchpath/half/half.h>
