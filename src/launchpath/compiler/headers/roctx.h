#pragma once
#include <roctracer/roctx.h>
