#pragma once
#include <cooperative_groups.h>
#include <launchpath/groups/reduce.h>
