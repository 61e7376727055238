/* Two numbers that have to be the same, told by the compiler. */
#ifndef SAME_H
#define SAME_H
#define SAME(one, other) \
    _Static_assert((unsigned long long)(one) == (unsigned long long)(other), #one " is not " #other)
#define OFFSET(one, one_member, other, other_member)                           \
    _Static_assert(offsetof(one, one_member) == offsetof(other, other_member), \
                   #one "." #one_member " is not where " #other "." #other_member " is")
#endif
