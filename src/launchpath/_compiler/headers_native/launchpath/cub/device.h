// CUB's functions of a whole device for host code that is compiled to run: on the host, where the device's memory is.
#pragma once
#include <launchpath/cub/host/call.h>
#include <launchpath/cub/host/reduce.h>
#include <launchpath/cub/host/scan.h>
#include <launchpath/cub/host/sort.h>
#include <launchpath/cub/host/select.h>
#include <launchpath/cub/host/histogram.h>
#include <launchpath/cub/host/others.h>
