// Of C's general functions what device code may use; malloc and free are there without any include.
#pragma once
#include <stddef.h>
#include <launchpath/stdlib.h>
