#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <cooperative_groups.h>
#include <launchpath/groups/copy.h>
}
