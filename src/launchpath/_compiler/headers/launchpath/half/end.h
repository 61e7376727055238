// Ends what number.h wants to be defined.
#undef __LP_H
#undef __LP_H2
#undef __LP_RAW
#undef __LP_RAW2
#undef __LP_DATA
#undef __LP_BITS
#undef __LP_INFINITE
#undef __LP_1
#undef __LP_2
#undef __LP_WORK
#undef __LP_NATIVE
#undef __LP_TO_BITS
#undef __LP_FROM_BITS
