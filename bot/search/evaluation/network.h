/* What a network computes, in integers only, so that every build gives the same scores.
 *
 * The functions are compiled once for each instruction set below; `network_builds` lists those, best first, and
 * `network_can_run` says whether this processor has what a build wants.  Loops run over blocks of a fixed number of
 * lanes, which compilers turn into vector code by themselves (also on arm64, where the plain build uses NEON).
 *
 * Sums are int16: a clipped network cannot overflow them with the men of one board; beyond that they wrap around, in
 * every build alike.
 */
#ifndef CENTELLA_NETWORK_H
#define CENTELLA_NETWORK_H

#include <stdint.h>
#include <string.h>

#define NETWORK_LANES 64
#define NETWORK_ACTIVE 255 /* QA: what one is in the sums */

typedef struct {
    const int16_t *rows;    /* of weights: `width` for each feature */
    const int16_t *biases;  /* of the sums */
    int width;              /* a multiple of NETWORK_LANES */
} NetworkLayer;

typedef void (*network_update_fn)(const NetworkLayer *layer, const int16_t *from, int16_t *to, const int *added,
                                  int added_count, const int *removed, int removed_count);
typedef int64_t (*network_forward_fn)(const int16_t *own, const int16_t *theirs, const int16_t *weights, int width);

typedef struct {
    const char *name;
    network_update_fn update;
    network_forward_fn forward;
} NetworkBuild;

#define NETWORK_FUNCTIONS(suffix, bytes, target)                                                                       \
    /* Sums with some features added and others removed; `from` may be `to`. */                                        \
    typedef uint16_t network_lanes_##suffix __attribute__((vector_size(bytes), aligned(2), may_alias));                \
    target static void network_update_##suffix(const NetworkLayer *layer, const int16_t *from, int16_t *to,            \
                                               const int *added, int added_count, const int *removed,                  \
                                               int removed_count) {                                                    \
        enum { COUNT = 2 * NETWORK_LANES / (bytes) };                                                                  \
        for (int block = 0; block < layer->width; block += NETWORK_LANES) {                                            \
            const network_lanes_##suffix *before = (const network_lanes_##suffix *)(from + block);                     \
            network_lanes_##suffix *after = (network_lanes_##suffix *)(to + block);                                    \
            network_lanes_##suffix sums[COUNT];                                                                        \
            for (int k = 0; k < COUNT; k++)                                                                            \
                sums[k] = before[k];                                                                                   \
            for (int i = 0; i < added_count; i++) {                                                                    \
                const network_lanes_##suffix *row =                                                                    \
                    (const network_lanes_##suffix *)(layer->rows + (int64_t)added[i] * layer->width + block);          \
                for (int k = 0; k < COUNT; k++)                                                                        \
                    sums[k] += row[k];                                                                                 \
            }                                                                                                          \
            for (int i = 0; i < removed_count; i++) {                                                                  \
                const network_lanes_##suffix *row =                                                                    \
                    (const network_lanes_##suffix *)(layer->rows + (int64_t)removed[i] * layer->width + block);        \
                for (int k = 0; k < COUNT; k++)                                                                        \
                    sums[k] -= row[k];                                                                                 \
            }                                                                                                          \
            for (int k = 0; k < COUNT; k++)                                                                            \
                after[k] = sums[k];                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    /* Clipped, squared and weighed: a clipped sum times a weight still fits int16, for weights are below 128. */      \
    target static int32_t network_half_##suffix(const int16_t *sums, const int16_t *weights) {                         \
        int32_t total = 0;                                                                                             \
        for (int lane = 0; lane < NETWORK_LANES; lane++) {                                                             \
            int16_t sum = sums[lane];                                                                                  \
            sum = sum < 0 ? 0 : sum;                                                                                   \
            sum = sum > NETWORK_ACTIVE ? NETWORK_ACTIVE : sum;                                                         \
            int16_t weighed = (int16_t)(sum * weights[lane]);                                                          \
            total += (int32_t)weighed * sum;                                                                           \
        }                                                                                                              \
        return total;                                                                                                  \
    }                                                                                                                  \
    target static int64_t network_forward_##suffix(const int16_t *own, const int16_t *theirs,                          \
                                                   const int16_t *weights, int width) {                                \
        int64_t total = 0;                                                                                             \
        for (int block = 0; block < width; block += NETWORK_LANES) {                                                   \
            total += network_half_##suffix(own + block, weights + block);                                              \
            total += network_half_##suffix(theirs + block, weights + width + block);                                   \
        }                                                                                                              \
        return total;                                                                                                  \
    }

NETWORK_FUNCTIONS(baseline, 16, )

#if defined(__x86_64__) && defined(__GNUC__)
#define NETWORK_V3 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,fma")))
#define NETWORK_V4 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,bmi,bmi2,lzcnt,popcnt,fma")))
NETWORK_FUNCTIONS(v3, 32, NETWORK_V3)
NETWORK_FUNCTIONS(v4, 64, NETWORK_V4)
#define NETWORK_BUILDS 3
static const NetworkBuild network_builds[NETWORK_BUILDS] = {
    {"x86-64-v4", network_update_v4, network_forward_v4},
    {"x86-64-v3", network_update_v3, network_forward_v3},
    {"baseline", network_update_baseline, network_forward_baseline},
};

static int network_can_run(int build) {
    __builtin_cpu_init();
    if (build == 0)
        return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") && network_can_run(1);
    if (build == 1)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
               __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
    return 1;
}
#else
#define NETWORK_BUILDS 1
static const NetworkBuild network_builds[NETWORK_BUILDS] = {
    {"baseline", network_update_baseline, network_forward_baseline},
};

static int network_can_run(int build) {
    (void)build;
    return 1;
}
#endif
#endif
