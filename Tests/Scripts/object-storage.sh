#!/usr/bin/env bash
# Checks Scripts/cluster/object-storage.sh with folders in place of buckets: its help and errors, what it makes, skips
# and reports, that parts share the work, and that a signal leaves nothing. Scripts/trial storage breaks transfers.
#
# Usage: Tests/Scripts/object-storage.sh [PROGRAM]
#
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

start_test "$@"
export LIVEPHOTO=$program RCLONE_CONFIG=/dev/null
script=$root/Scripts/cluster/object-storage.sh
cd "$work"
mkdir temporary
export TMPDIR=$work/temporary
unset "${!SLURM_@}" "${!AWS_@}" JOB_COMPLETION_INDEX

# Usage: expect STATUS WORDS ARGUMENT…
expect() {
    local expected=$1 words=$2 status=0
    shift 2
    "$script" "$@" >out 2>said || status=$?
    [[ $status -eq $expected && $(cat out said) == *"$words"* ]] ||
        fail "object-storage.sh $* exits with $status, not $expected, and says: $(cat out said)"
    [ -z "$(find temporary -mindepth 1)" ] || fail "object-storage.sh $* leaves: $(find temporary)"
}
expect 0 'Usage: object-storage.sh' --help
expect 64 'error: a source and a destination, please' "$work/clips"
expect 64 'error: unknown argument: --fast' --fast "$work/clips" "$work/live"
expect 64 'error: --jobs and --retry need numbers' --jobs 0 "$work/clips" "$work/live"
expect 64 'error: there is no part 7 of 6' --shard 7/6 "$work/clips" "$work/live"
expect 64 'error: --shard takes 3/6 or auto, not 3' --shard 3 "$work/clips" "$work/live"
expect 64 'error: no cluster says which part this is' --shard auto "$work/clips" "$work/live"
expect 64 'error: --output is not possible here' "$work/clips" "$work/live" -- --output x
expect 64 'error: options of convert come behind --' "$work/clips" "$work/live" --no-audio
expect 64 'error: the destination is in the source' "$work/clips" "$work/clips/live"
expect 66 'error: rclone cannot list' "$work/nothing" "$work/live"
expect 66 'error: the list nothing cannot be read' --list nothing "$work/clips" "$work/live"
LIVEPHOTO=$work/nothing expect 69 "error: there is no $work/nothing; install it." "$work/clips" "$work/live"

mkdir -p clips/a clips/b
ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=64x64:rate=15:duration=0.5 -c:v libx264 -preset ultrafast \
    -pix_fmt yuv420p clips/a/one.mp4
cp clips/a/one.mp4 clips/a/one.MOV
cp clips/a/one.mp4 'clips/b/[x] {y} "z".mp4'
echo text >clips/b/bad.mp4
echo text >clips/b/notes.txt

# A wrong option would fail for every clip, so it ends the run.
expect 64 'preset' "$work/clips" "$work/live" -- --preset none
[ ! -e live ] || fail "a wrong option leaves something at the destination."

# Two parts, the number of one from a cluster.
for part in 1 2; do
    status=0
    SLURM_ARRAY_TASK_ID=$((part + 9)) SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_COUNT=2 "$script" --shard auto \
        "$work/clips" "$work/live" -- --no-audio >>results 2>>said || status=$?
    echo "$status" >>statuses
done
[ "$(LC_ALL=C sort statuses | xargs)" = '0 1' ] || fail "the parts exit with $(xargs <statuses): $(cat said)"
jq -es 'map(.path) | sort == ["a/one.MOV", "a/one.mp4", "b/[x] {y} \"z\".mp4", "b/bad.mp4"]' results >/dev/null ||
    fail "the parts do not make each clip once: $(cat results)"
jq -es 'map(select(.status == "failed")) | map([.path, .exitCode]) == [["b/bad.mp4", 65]]' results >/dev/null ||
    fail "the results of failed clips are: $(cat results)"
for pair in a/one.MOV/one a/one.mp4/one 'b/[x] {y} "z".mp4/[x] _y_ "z"'; do
    [[ -f live/pairs/$pair.JPG && -f live/pairs/$pair.MOV ]] || fail "the pair $pair is missing."
done
[ "$(find live/pairs -type f | wc -l)" -eq 6 ] || fail "there are other files: $(find live/pairs -type f)"
"$program" verify live/pairs --quiet || fail "livephoto verify finds a pair that is not good."
find live/manifests -name '*.json' | while IFS= read -r manifest; do
    folder=${manifest/manifests/pairs}
    (cd "${folder%/*}" && jq -r '.files[] | "\(.sha256)  \(.name)"' "$work/$manifest" | sha256sum --check --quiet) ||
        fail "$manifest does not fit its pair."
done

# What has a manifest is skipped; another clip or other options are not. A list may name clips that are not there.
expect 1 'made 0, skipped 3, failed 1' "$work/clips" "$work/live" -- --no-audio
expect 0 'made 0, skipped 2, failed 0' --include 'one.*' "$work/clips" "$work/live" -- --no-audio
touch --date '2020-01-01' clips/a/one.mp4
printf '%s\n' a/one.mp4 a/one.MOV a/none.mp4 >list
expect 1 'made 1, skipped 1, failed 1' --list list "$work/clips" "$work/live" -- --no-audio
grep -q '"a/none.mp4","status":"failed","exitCode":66' out || fail "a missing clip is not reported: $(cat out)"
[ "$(find live/manifests/a/one.mp4 -type f | wc -l)" -eq 1 ] || fail "the manifest of the old clip remains."
expect 0 'made 2, skipped 0, failed 0' --include 'one.*' "$work/clips" "$work/live"

# A signal during a conversion.
mkfifo block
# shellcheck disable=SC2016 # expanded by the stand-in
printf '#!/bin/sh\n[ "$1" != --version ] || exec echo stuck\necho >%s\nexec sleep 60\n' "$work/block" >stuck
chmod 755 stuck
LIVEPHOTO=$work/stuck "$script" --jobs 1 "$work/clips" "$work/other" 2>/dev/null &
running=$!
read -r _ <block
status=0
kill -TERM "$running"
wait "$running" || status=$?
[[ $status -eq 143 && ! -e other && -z $(find temporary -mindepth 1) ]] ||
    fail "after SIGTERM, the status is $status, and this is left: $(find other temporary -mindepth 1 2>/dev/null)"
echo "object-storage: parts make each clip once, manifests fit, and failures are reported with their status."
