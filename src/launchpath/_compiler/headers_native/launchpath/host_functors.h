// Functions that a program has for its device, which algorithms call that run on the host: they are the host's as well.
// Those that the host does not call are neither made nor checked, for nothing outside of the file can call them.
#pragma once
#undef __device__
#define __device__ __attribute__((device, host, internal_linkage))
#pragma clang diagnostic ignored "-Wignored-attributes"   // variables of the device
#pragma clang diagnostic ignored "-Wundefined-internal"
#pragma clang diagnostic ignored "-Wundefined-inline"
