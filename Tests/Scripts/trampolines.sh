#!/usr/bin/env bash
# The trampolines of CLazyLibraries give a function its arguments as they were passed, whatever they are, on the first call
# and on all others, on several threads at once; are seen by nobody else; and end the process where the function or its
# library is missing. Tried with a library of its own, on this machine, and on AArch64 where qemu-aarch64-static and
# aarch64-linux-gnu-gcc are installed.
#
# Usage: Tests/Scripts/trampolines.sh
set -euo pipefail
# shellcheck source=Scripts/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/shared.sh"
[ "$(uname -s)" = Linux ] || exit 0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$root"/Sources/CLazyLibraries/{CLazyLibraries.c,trampolines.S,include/CLazyLibraries.h} "$folder"
cd "$folder"

cat >functions.h <<'END_OF_FILE'
LIBRARY(sample, 3)
FUNCTION(sample, sample_mix)
FUNCTION(sample, sample_structure)
FUNCTION(sample, sample_sum)
FUNCTION(sample, sample_missing)
END_OF_FILE

cat >sample.h <<'END_OF_FILE'
struct structure { double numbers[5]; };
// More integers and more floating-point numbers than there are registers for them.
double sample_mix(int a, double b, long c, float d, short e, double f, long g, double h, int i, double j, char *k,
                  double l, long m, double n, int o, double p, long q, double r, int s, double t);
// Returned through a pointer that the caller passes.
struct structure sample_structure(double factor, int start);
double sample_sum(int count, ...);
void sample_missing(void);
END_OF_FILE

cat >sample.c <<'END_OF_FILE'
#include "sample.h"
#include <stdarg.h>

double sample_mix(int a, double b, long c, float d, short e, double f, long g, double h, int i, double j, char *k,
                  double l, long m, double n, int o, double p, long q, double r, int s, double t) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * *k + 12 * l + 13 * m +
           14 * n + 15 * o + 16 * p + 17 * q + 18 * r + 19 * s + 20 * t;
}

struct structure sample_structure(double factor, int start) {
    struct structure result;
    for (int index = 0; index < 5; index++) result.numbers[index] = factor * (start + index);
    return result;
}

double sample_sum(int count, ...) {
    va_list arguments;
    double sum = 0;
    va_start(arguments, count);
    for (int index = 0; index < count; index++)
        sum += index % 2 ? va_arg(arguments, double) : va_arg(arguments, int);
    va_end(arguments);
    return sum;
}
END_OF_FILE

cat >main.c <<'END_OF_FILE'
#include "sample.h"
#include <pthread.h>
#include <stdlib.h>

static void *call(void *unused) {
    char k = 11;
    for (int round = 0; round < 2; round++) {
        // 1 + 4 + 9 + … + 400, and half of 2 + 4 + … + 20.
        if (sample_mix(1, 2.5, 3, 4.5f, 5, 6.5, 7, 8.5, 9, 10.5, &k, 12.5, 13, 14.5, 15, 16.5, 17, 18.5, 19, 20.5) !=
            2870 + 55) exit(1);
        struct structure result = sample_structure(2.5, 4);
        if (result.numbers[0] != 10 || result.numbers[4] != 20) exit(2);
        if (sample_sum(9, 1, 2.5, 3, 4.5, 5, 6.5, 7, 8.5, 9) != 47) exit(3);
    }
    return unused;
}

int main(int count, char **arguments) {
    pthread_t threads[4];
    for (int index = 0; index < 4; index++)
        if (pthread_create(&threads[index], NULL, call, NULL)) return 4;
    for (int index = 0; index < 4; index++) pthread_join(threads[index], NULL);
    if (count > 1 && arguments) sample_missing();
    return 0;
}
END_OF_FILE
# libav's own versions are not needed here, and another machine's compiler does not find them.
sed -i '/<libav/d' CLazyLibraries.c

# Usage: try MACHINE COMPILER [RUNNER…]
try() {
    local machine=$1 compiler=$2 status=0
    shift 2
    mkdir "$machine"
    "$compiler" -Wall -shared -fPIC sample.c -Wl,-soname,libsample.so.3 -o "$machine/libsample.so.3"
    "$compiler" -Wall -D_Nullable= -O1 -rdynamic main.c CLazyLibraries.c trampolines.S -o "$machine/main" -pthread -ldl
    export LD_LIBRARY_PATH=$folder/$machine
    "$@" "$machine/main" || fail "$machine: calls through trampolines go wrong (check $?)"
    "$@" "$machine/main" missing 2>"$machine/errors" || status=$?
    if [ "$status" -ne 69 ] || ! grep -q '^error: .*sample_missing; install' "$machine/errors"; then
        fail "$machine: a missing function ends with $status: $(cat "$machine/errors")"
    fi
    status=0
    LD_LIBRARY_PATH='' "$@" "$machine/main" 2>"$machine/errors" || status=$?
    if [ "$status" -ne 69 ] || ! grep -q '^error: libsample.so.3: .*; install' "$machine/errors"; then
        fail "$machine: a missing library ends with $status: $(cat "$machine/errors")"
    fi
    if nm -D "$machine/main" | grep sample_; then fail "$machine: others see the trampolines."; fi
    machines+=" $machine"
}

machines=''
try "$(uname -m)" gcc
if [ "$(uname -m)" != aarch64 ] && command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64-static >/dev/null; then
    try aarch64 aarch64-linux-gnu-gcc qemu-aarch64-static -L /usr/aarch64-linux-gnu
fi
echo "trampolines: arguments, results and errors are right on$machines."
