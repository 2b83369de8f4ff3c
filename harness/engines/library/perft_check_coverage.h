/* perft_check_coverage.h: which branches of a move generator ran, told to perft-check, which is then guided by it.
 *
 * Copyright (c) 2026 the authors of perft-check. This file alone is under the MIT License, so that any engine may copy it:
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
 * documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
 * rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
 * persons to whom the Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
 * Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
 * WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
 * OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 *
 * Include it in ONE file of the engine, and compile all files with the flags of one of these lines. A shared library:
 *
 *   clang -O2 -g -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp -shared -fPIC -o libmine.so mine.c
 *   perft-check fuzz --coverage -e lib:./libmine.so
 *
 * A program that perft-check talks to (a library may be compiled so as well):
 *
 *   clang -O2 -g -fsanitize-coverage=trace-pc-guard,pc-table,trace-cmp -o mine mine.c
 *   perft-check fuzz --coverage -e ./mine
 *
 * GCC 12 and later, which names only the branches that have run:
 *
 *   gcc -O2 -g -fsanitize-coverage=trace-pc,trace-cmp -o mine mine.c
 *
 * Rust: compile this file alone, and link it with a static library (a cdylib would hide its functions).
 *
 *   clang -O2 -fPIC -x c -c perft_check_coverage.h -o coverage.o
 *   rustc -O -g --crate-type staticlib -C panic=abort -C passes=sancov-module
 *     -C llvm-args="-sanitizer-coverage-level=3 -sanitizer-coverage-inline-8bit-counters
 *     -sanitizer-coverage-pc-table -sanitizer-coverage-trace-compares" -o libmine.a src/lib.rs
 *   clang -shared -o libmine.so -Wl,--whole-archive libmine.a -Wl,--no-whole-archive coverage.o -lpthread -ldl
 *
 * Without -g there are no lines of source. trace-cmp may be left out: with it perft-check also sees how near a
 * comparison is to being equal. Without these flags the file does nothing, and without perft-check hardly anything.
 * The functions below are called by what the compiler inserts, and by perft-check; yours calls none of them.
 */
#ifndef PERFT_CHECK_COVERAGE_H
#define PERFT_CHECK_COVERAGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#if defined(__clang__)
#define PERFT_CHECK_UNCOUNTED __attribute__((no_sanitize("coverage"), unused))
#elif defined(__GNUC__) && __GNUC__ >= 12
#define PERFT_CHECK_UNCOUNTED __attribute__((no_sanitize_coverage, unused))
#else
#error "perft_check_coverage.h needs Clang 13, GCC 12 or later versions of them"
#endif
#define PERFT_CHECK_HOOK PERFT_CHECK_UNCOUNTED __attribute__((visibility("default"), used))

#ifdef __cplusplus
extern "C" {
#endif

#define PERFT_CHECK_MOST_BRANCHES 65536 /* where counters are ours: those of trace-pc-guard and trace-pc */
#define PERFT_CHECK_COMPARISONS 4096    /* bytes of nearness, two for each comparison, or where they are many, for several */

/* What perft-check shares with the engine: a file of this layout, little-endian. The environment variable
 * PERFT_CHECK_COVERAGE names it. Without the variable the memory is the engine's own. */
typedef struct {
    char magic[8];     /* "PCCOVER1", written last */
    uint64_t branches; /* how many counters there are */
    uint64_t has_places;
    char program[4072];                            /* the path of the program, with its terminating zero */
    uint8_t nearness[PERFT_CHECK_COMPARISONS];     /* 16 bits for distances that were met, the highest for "equal" */
    uint8_t counters[PERFT_CHECK_MOST_BRANCHES];   /* how often each branch ran */
    uint64_t places[PERFT_CHECK_MOST_BRANCHES];    /* where it is in that program, 0 where there is none */
} perft_check_coverage;

static perft_check_coverage perft_check_own_coverage, *perft_check_shared = &perft_check_own_coverage;
static uint8_t *perft_check_counters = perft_check_own_coverage.counters; /* or those that the compiler has made */
static size_t perft_check_branches;
static int perft_check_is_opened;

#if defined(__ELF__)
extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));
#elif defined(__APPLE__)
extern const char __dso_handle[];
#endif

/* Where the code is loaded that includes this file; 0 where addresses are those of the file. */
PERFT_CHECK_UNCOUNTED static inline uintptr_t perft_check_base(void) {
#if defined(__ELF__)
    const char *start = __ehdr_start;
    return start && start[16] == 3 ? (uintptr_t)start : 0; /* e_type: 3 is ET_DYN */
#elif defined(__APPLE__)
    return (uintptr_t)__dso_handle;
#else
    return 0;
#endif
}

/* Writes the path of the file that has our code, where the system tells. */
PERFT_CHECK_UNCOUNTED static void perft_check_find_program(char *path, size_t room) {
    char line[4608];
    FILE *maps = fopen("/proc/self/maps", "r");
    path[0] = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long long start, end, code = (unsigned long long)(uintptr_t)&perft_check_find_program;
        char *name = strchr(line, '/');
        if (sscanf(line, "%llx-%llx", &start, &end) != 2 || code < start || code >= end || !name) continue;
        name[strcspn(name, "\n")] = 0;
        if (strlen(name) < room) strcpy(path, name);
        break;
    }
    if (maps) fclose(maps);
}

PERFT_CHECK_UNCOUNTED static void perft_check_open(void) {
    if (perft_check_is_opened) return;
    perft_check_is_opened = 1;
#if defined(__unix__) || defined(__APPLE__)
    const char *path = getenv("PERFT_CHECK_COVERAGE");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    if (lseek(file, 0, SEEK_END) == (off_t)sizeof(perft_check_coverage)) {
        void *at = mmap(NULL, sizeof(perft_check_coverage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (at != MAP_FAILED) {
            perft_check_shared = (perft_check_coverage *)at;
            perft_check_counters = perft_check_shared->counters;
            perft_check_find_program(perft_check_shared->program, sizeof perft_check_shared->program);
        }
    }
    close(file);
#endif
}

PERFT_CHECK_UNCOUNTED static void perft_check_tell(size_t branches, int has_places) {
    perft_check_branches = branches;
    perft_check_shared->branches = branches;
    perft_check_shared->has_places = (uint64_t)has_places;
    memcpy(perft_check_shared->magic, "PCCOVER1", 8);
}

/* inline-8bit-counters: the compiler has counters of its own. */
PERFT_CHECK_HOOK void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) {
    perft_check_open();
    perft_check_counters = start;
    perft_check_tell((size_t)(stop - start), 0);
}

/* pc-table: two words for each counter, its address and what it is. */
PERFT_CHECK_HOOK void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) {
    size_t n = (size_t)(stop - start) / 2;
    perft_check_open();
    for (size_t i = 0; i < n && i < PERFT_CHECK_MOST_BRANCHES; i++)
        perft_check_shared->places[i] = start[2 * i] - perft_check_base();
    perft_check_tell(perft_check_branches, 1);
}

/* trace-pc-guard: a number for each branch, which we give. */
PERFT_CHECK_HOOK void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    if (start == stop || *start) return;
    perft_check_open();
    for (uint32_t *guard = start; guard < stop && perft_check_branches < PERFT_CHECK_MOST_BRANCHES; guard++)
        *guard = (uint32_t)++perft_check_branches;
    perft_check_tell(perft_check_branches, 0);
}

PERFT_CHECK_HOOK void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    if (!*guard) return;
    uint8_t *counter = perft_check_counters + *guard - 1;
    *counter = (uint8_t)(*counter + (*counter != 255));
}

/* trace-pc: an address. Two calls are at least four bytes apart, so that each branch of a program of up to 256 KB has a
 * counter of its own. */
PERFT_CHECK_HOOK void __sanitizer_cov_trace_pc(void) {
    uint64_t place = (uint64_t)((uintptr_t)__builtin_return_address(0) - 1 - perft_check_base());
    size_t branch = (size_t)(place / 4 % PERFT_CHECK_MOST_BRANCHES);
    if (!perft_check_branches) {
        perft_check_open();
        perft_check_tell(PERFT_CHECK_MOST_BRANCHES, 1);
    }
    perft_check_shared->places[branch] = place;
    perft_check_counters[branch] = (uint8_t)(perft_check_counters[branch] + (perft_check_counters[branch] != 255));
}

/* trace-cmp: how near two values are, in 16 steps, as the distance of numbers and as the bits in which they differ. */
PERFT_CHECK_UNCOUNTED static inline void perft_check_near(uintptr_t site, uint64_t distance) {
    static const uint8_t steps[96] = {
        0,  1,  2,  3,  4,  5,  6,  6,  7,  7,  8,  8,  8,  9,  9,  9,  9,  10, 10, 10, 10, 10, 11, 11,
        11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
        14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15,
        15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
    static uint32_t sites[PERFT_CHECK_COMPARISONS / 2]; /* a hash table of those that were met */
    uint32_t key = (uint32_t)(site - perft_check_base());
    unsigned at = (unsigned)(key * 0x9E3779B9u >> 21), bit;
    if (distance >= sizeof steps) return;
    for (unsigned tries = 0; sites[at] != key && sites[at] && tries < 8; tries++)
        at = (at + 1) % (PERFT_CHECK_COMPARISONS / 2);
    sites[at] = key;
    bit = 15u - steps[distance];
    perft_check_shared->nearness[2 * at + bit / 8] |= (uint8_t)(1 << bit % 8);
}

#define PERFT_CHECK_COMPARE(name, type)                                                                     \
    PERFT_CHECK_HOOK void name(type one, type other) {                                                 \
        perft_check_near((uintptr_t)__builtin_return_address(0), one > other ? one - other : other - one);  \
    }
PERFT_CHECK_COMPARE(__sanitizer_cov_trace_cmp1, uint8_t)
PERFT_CHECK_COMPARE(__sanitizer_cov_trace_cmp2, uint16_t)
PERFT_CHECK_COMPARE(__sanitizer_cov_trace_cmp4, uint32_t)
PERFT_CHECK_COMPARE(__sanitizer_cov_trace_const_cmp1, uint8_t)
PERFT_CHECK_COMPARE(__sanitizer_cov_trace_const_cmp2, uint16_t)
PERFT_CHECK_COMPARE(__sanitizer_cov_trace_const_cmp4, uint32_t)

#define PERFT_CHECK_COMPARE_WORDS(name)                                                                     \
    PERFT_CHECK_HOOK void name(uint64_t one, uint64_t other) {                                         \
        uint64_t distance = one > other ? one - other : other - one;                                        \
        perft_check_near((uintptr_t)__builtin_return_address(0),                                            \
                         distance < 96 ? distance : (uint64_t)__builtin_popcountll(one ^ other));      \
    }
PERFT_CHECK_COMPARE_WORDS(__sanitizer_cov_trace_cmp8)
PERFT_CHECK_COMPARE_WORDS(__sanitizer_cov_trace_const_cmp8)

/* cases: how many there are, the bits of the value, and the cases. */
PERFT_CHECK_HOOK void __sanitizer_cov_trace_switch(uint64_t value, void *table) {
    const uint64_t *cases = (const uint64_t *)table;
    uintptr_t site = (uintptr_t)__builtin_return_address(0);
    for (uint64_t i = 0; i < cases[0] && i < 16; i++)
        perft_check_near(site + (uintptr_t)i, value > cases[2 + i] ? value - cases[2 + i] : cases[2 + i] - value);
}

/* perft-check asks: how many counters there are, those of the branches first, and those of comparisons behind them. */
PERFT_CHECK_HOOK int64_t perft_check_coverage_branches(void) { return (int64_t)perft_check_branches; }
PERFT_CHECK_HOOK int64_t perft_check_coverage_comparisons(void) { return PERFT_CHECK_COMPARISONS; }

/* Returns where the code of a branch is, 0 where there is none, or -1. */
PERFT_CHECK_HOOK int64_t perft_check_coverage_place(int64_t branch) {
    if (branch < 0 || branch >= PERFT_CHECK_MOST_BRANCHES || !perft_check_shared->has_places) return -1;
    return (int64_t)perft_check_shared->places[branch];
}

/* Writes the counters of up to `room` branches, and sets all counters to 0. */
PERFT_CHECK_HOOK void perft_check_coverage_read(uint8_t *out, size_t room) {
    if (room > perft_check_branches) room = perft_check_branches;
    memcpy(out, perft_check_counters, room);
    memset(perft_check_counters, 0, perft_check_branches);
    memset(perft_check_shared->nearness, 0, PERFT_CHECK_COMPARISONS);
}

PERFT_CHECK_UNCOUNTED static inline uint8_t perft_check_bucket(uint8_t count) {
    if (count < 4) return (uint8_t)(1 << (count - 1));
    return count < 8 ? 8 : count < 16 ? 16 : count < 32 ? 32 : count < 128 ? 64 : 128;
}

/* Sets `number` bytes to 0, and notes which bits are new: those of the buckets of counters, or those of the bytes. */
PERFT_CHECK_UNCOUNTED static int64_t perft_check_take_some(uint8_t *bytes, size_t number, int are_counters, uint8_t *seen,
                                                           uint32_t *firsts, uint32_t question) {
    int64_t news = 0;
    for (size_t i = 0; i < number; i++) {
        uint64_t eight = 1;
        if (i + 8 <= number) memcpy(&eight, bytes + i, 8);
        if (!eight) {
            i += 7;
            continue;
        }
        for (size_t end = i + 8 < number ? i + 8 : number; i < end; i++) {
            uint8_t byte = bytes[i], bits;
            if (!byte) continue;
            bytes[i] = 0;
            bits = are_counters ? perft_check_bucket(byte) : byte;
            for (uint8_t fresh = bits & (uint8_t)~seen[i]; fresh; fresh &= (uint8_t)(fresh - 1)) {
                firsts[8 * i + (size_t)__builtin_ctz(fresh)] = question;
                news++;
            }
            seen[i] |= bits;
        }
        i--;
    }
    return news;
}

/* Takes what one answer has left in the counters, and sets them to 0. `memory` has these arrays, one behind the other:
 *
 *   uint32_t branches, so many of which perft-check knows;
 *   uint32_t firsts[8 * (branches + PERFT_CHECK_COMPARISONS)], for each bit below the question that has set it first:
 *     `question` is put there;
 *   uint8_t seen[branches + PERFT_CHECK_COMPARISONS], for each branch a bit for each bucket that was reached (1, 2, 3,
 *     4-7, 8-15, 16-31, 32-127, 128 and more), for each comparison two bytes of distances that were met.
 *
 * Returns how many bits are new. */
PERFT_CHECK_HOOK int64_t perft_check_coverage_take(void *memory, int question) {
    uint32_t branches = *(uint32_t *)memory, *firsts = (uint32_t *)memory + 1;
    uint8_t *seen = (uint8_t *)(firsts + 8 * ((size_t)branches + PERFT_CHECK_COMPARISONS));
    size_t known = branches < perft_check_branches ? branches : perft_check_branches;
    int64_t news = perft_check_take_some(perft_check_counters, known, 1, seen, firsts, (uint32_t)question);
    return news + perft_check_take_some(perft_check_shared->nearness, PERFT_CHECK_COMPARISONS, 0, seen + branches,
                                        firsts + 8 * (size_t)branches, (uint32_t)question);
}

#ifdef __cplusplus
}
#endif

#endif
