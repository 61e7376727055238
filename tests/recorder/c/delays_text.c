/* What the recorder reads in the text of its first argument; and what calls of the further ones are to delays. */
#include "trace/records/delays_asked.h"

int main(int argc, char **argv) {
    uint32_t i;
    if (!delays_parse(argv[1])) {
        printf("refused: %s\n", lp_delays.reason);
        return 0;
    }
    for (i = 0; i < lp_delays.n_arms; i++) printf("%s %llu,", delays_targets[lp_delays.arms[i].target], (unsigned long long)lp_delays.arms[i].delay);
    printf(" %d %llu %llu %llu %llu %llu %s\n", lp_delays.kind, (unsigned long long)lp_delays.every, (unsigned long long)lp_delays.repetitions,
           (unsigned long long)lp_delays.settle, (unsigned long long)lp_delays.warmup, (unsigned long long)lp_delays.seed, lp_delays.anchor);
    for (i = 2; i < (uint32_t)argc; i++) printf("%s ", delays_targets[delays_role(argv[i])]);
    return 0;
}
