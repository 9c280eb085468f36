#!/usr/bin/env bash
# Checks that small files that claim to be huge are cheap: each must be rejected with one sentence within 5 s and 600
# MiB of memory of all processes together, and a signal must end the program within 3 s at any time.
#
# Usage: Tests/Scripts/hostile-clips.sh [PROGRAM]
#
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

start_test "$@"
cd "$work"

ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=64x64:rate=15:duration=1 -c:v libx264 -pix_fmt yuv420p \
    -movflags use_metadata_tags -metadata a=b plain.mp4
ffmpeg -v error -nostdin -i plain.mp4 -c copy -movflags empty_moov fragments.mp4
python3 -B "$root/Tests/Scripts/hostile_clips.py" plain.mp4 fragments.mp4

failed=0
complain() {
    echo "hostile-clips: $*" >&2
    failed=1
}
for clip in hostile-*; do
    status=0
    # Elapsed seconds, and the peak of the largest process in KiB: the front waits while the worker works.
    /usr/bin/time --format '%e %M' --output figures "$program" convert "$clip" -o out >/dev/null 2>said || status=$?
    read -r seconds peak < <(tail -n 1 figures)
    [ "$status" -eq 65 ] || complain "$clip: status $status instead of 65 ($(head -c 200 said))"
    [ "$(wc -l <said)" -eq 1 ] || complain "$clip: more than one sentence"
    [ ! -e out ] || complain "$clip: something is left behind"
    [ "${seconds%.*}" -lt 5 ] || complain "$clip: takes $seconds s"
    [ "$peak" -le $((600 * 1024)) ] || complain "$clip: takes $((peak / 1024)) MiB"
    for delay in 0.02 0.1 0.3; do
        "$program" convert "$clip" -o out >/dev/null 2>&1 &
        process=$!
        sleep "$delay"
        begin=$(date +%s%N)
        kill -TERM "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
        [ $(($(date +%s%N) - begin)) -lt 3000000000 ] || complain "$clip: a signal takes more than 3 s"
    done
    [ ! -e out ] || complain "$clip: something is left behind by a signal"
done
[ "$failed" -eq 0 ] || fail "hostile-clips: some files cost too much."
echo "hostile-clips: $(find . -name 'hostile-*' | wc -l) small files that claim to be huge cost little."
