// All of CUB that is here. __LP_CUB is its namespace, __LP_CUB_ERROR the type of the codes that host functions return.
#pragma once
#include <launchpath/cub/device.h>
#include <launchpath/cub/exchange.h>
#include <launchpath/cub/histogram.h>
#include <launchpath/cub/iterators.h>
#include <launchpath/cub/load.h>
#include <launchpath/cub/neighbors.h>
#include <launchpath/cub/operators.h>
#include <launchpath/cub/reduce.h>
#include <launchpath/cub/scan.h>
#include <launchpath/cub/sort.h>
#include <launchpath/cub/warp.h>
