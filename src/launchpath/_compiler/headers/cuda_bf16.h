#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <launchpath/half/bfloat16.h>
}
