/* The stand-in's numbers, held against NVIDIA's header. */
#define STANDIN_CHECK
#include "../cuda/abi.h"
#include "same.h"

#define RESULT(name, number, words) SAME(SI_##name, CUDA_##name);
#include "../cuda/results.h"
#define NUMBER(name, number, theirs) SAME(SI_##name, theirs);
#include "../cuda/numbers.h"
