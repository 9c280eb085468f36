#!/usr/bin/env bash
# Checks that Scripts/trial sweep accepts a correct program and detects a wrong photo and a rejected clip.
#
# Usage: Tests/Scripts/sweep.sh [PROGRAM]     (default: LIVEPHOTO, or an optimized build)
#
# shellcheck disable=SC2016 # the variables in single quotes are for the faulty programs
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"
start_test "$@"
cd "$work"
mkdir temporary

# Runs Scripts/trial sweep on two combinations, one of which ffmpeg does not make; it is to exit with a status and to print
# each sentence. Usage: expect STATUS PROGRAM SENTENCE…
expect() {
    local wanted=$1 tried=$2 status=0 sentence
    shift 2
    TMPDIR=$work/temporary "$root/Scripts/trial" sweep --program "$tried" --only 'video mpeg4 in avi' \
        --only 'video mpeg4 in webm' >table 2>progress || status=$?
    [ "$status" -eq "$wanted" ] || fail "Scripts/trial sweep exits with $status, not $wanted: $(cat table progress)"
    for sentence; do
        grep -qF -e "$sentence" table || fail "Scripts/trial sweep does not say '$sentence': $(cat table progress)"
    done
    left=$(find temporary -mindepth 1 -maxdepth 1 ! -name 'TemporaryDirectory.*')
    [ -z "$left" ] || fail "Scripts/trial sweep leaves files: $left"
}

# A program with one fault; its arguments are convert CLIP --still SECONDS and others.
faulty() {
    printf '#!/usr/bin/env bash\n%s\n' "$1" >faulty
    chmod +x faulty
}
expect 0 "$program" "video  mpeg4  avi  equal" "1 combinations, 1 equal, 0 failed"
# The frame after the one that is asked for, passed off as that one.
faulty "'$program'"' convert "$2" --still "$(jq -n "$4 + 0.04")" "${@:5}" | jq ".stillTimeInClip -= 0.04"'
expect 1 ./faulty "0.5 s: photo differs from a full decode at 0.480 s: mean luma " "; it is the frame of 0.520 s" \
    "1 combinations, 0 equal, 1 failed"
faulty 'echo "error: no" >&2; exit 65'
expect 1 ./faulty "7.5 s: livephoto exits with 65: error: no" "1 combinations, 0 equal, 1 failed"

echo "sweep: a program that does right passes, and each of 2 faults is found."
