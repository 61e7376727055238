// What cuSOLVER's headers bring along, and its handles.
#pragma once
#include <cusparse.h>
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverSpContext *cusolverSpHandle_t;
