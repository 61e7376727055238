// Cooperative groups: the block, and tiles of its warps.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <launchpath/groups/block.h>
#include <launchpath/groups/tile.h>
}
