// Cooperative groups: the block, and tiles of its warps.
#pragma once
#include <launchpath/groups/block.h>
#include <launchpath/groups/tile.h>
