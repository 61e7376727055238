// C's functions on memory are there without any include.
#pragma once
#include <stddef.h>
