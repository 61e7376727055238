// clock and clock_t are there without any include.
#pragma once
