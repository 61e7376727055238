// What cuSPARSE's headers bring along, and its handle.
#pragma once
#include <cublas_v2.h>
typedef struct cusparseContext *cusparseHandle_t;
