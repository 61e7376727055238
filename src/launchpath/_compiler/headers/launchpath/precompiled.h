// The main file where headers are precompiled: they come before it, in the compiler's command. Compilers keep its path
// and look at it again when they use the result, so it must be a file that stays.
#pragma once
