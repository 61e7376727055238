// C's printf, which needs no include.
#pragma once
#ifdef __CUDACC_RTC__
#ifndef stdout
#define stdout nullptr
#define stderr nullptr
#endif
#endif
