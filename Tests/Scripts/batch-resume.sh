#!/usr/bin/env bash
# Checks that a batch killed repeatedly produces the same files as an undisturbed one. SIGKILL hits the batch alone or
# all its processes, at random moments; then it runs to the end, and both folders are compared byte by byte. After each
# kill, only complete pairs may exist, and they must not be made again.
#
# Usage: Tests/Scripts/batch-resume.sh [--kills N] [--clips N] [--seed N] [PROGRAM]
#
#   --kills    number of kills (20)
#   --clips    number of clips (40)
#   --seed     seed of the random moments (LIVEPHOTO_TEST_SEED, or 20261121); printed at the end
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

kills=20 clips=40 seed=${LIVEPHOTO_TEST_SEED:-20261121} program=
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help)
            show_help
            exit
            ;;
        --kills) kills=$2 && shift ;;
        --clips) clips=$2 && shift ;;
        --seed) seed=$2 && shift ;;
        -*) misuse "unknown argument: $1" ;;
        *) program=$1 ;;
    esac
    shift
done
RANDOM=$seed
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find_program "$program"

cd "$work"
mkdir in
ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=64x64:rate=15:duration=0.34 -c:v libx264 -preset ultrafast \
    -pix_fmt yuv420p clip.mp4
for ((i = 0; i < clips; i++)); do cp clip.mp4 "in/$i.mp4"; done
echo '{"input": "in/*.mp4", "output": "deep"}' >jobs.jsonl

# In the background it has to be the program's own process that is killed, not a shell's.
run() { exec "$program" batch jobs.jsonl --output "$1" --jobs $((RANDOM % 3 + 2)) --progress none; }

# Names and contents, or names and inodes, of what is not the batch's own state.
contents() { (cd "$1" && find . -path ./.livephoto-batch -prune -o -type f -print0 | sort -z | xargs -0r sha256sum); }
inodes() { (cd "$1" && find . -name '.?*' -prune -o -type f -printf '%p %i\n' | sort); }

begin=$(date +%s%N)
(run whole) 2>/dev/null || fail "the undisturbed run failed."
milliseconds=$((($(date +%s%N) - begin) / 1000000))

reached=0
for ((kill = 1; kill <= kills; kill++)); do
    mkdir -p killed
    before=$(inodes killed)
    run killed 2>/dev/null &
    batch=$!
    # So long that the kills fall on the whole of the work, of which each loses a part.
    delay=$((milliseconds * (RANDOM % 1000) / kills / 700 + 60))
    sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
    victims=("$batch")
    # Each process has a group of its own.
    [ $((RANDOM % 2)) -eq 0 ] || mapfile -t -O 1 victims < <(
        awk -v parent="$batch" '$4 == parent { print $1 }' /proc/[0-9]*/stat 2>/dev/null)
    if kill -KILL "${victims[@]}" 2>/dev/null; then reached=$((reached + 1)); fi
    wait "$batch" 2>/dev/null || true
    lost=$(comm -23 <(printf '%s\n' "$before") <(inodes killed))
    [ -z "$lost" ] || fail "seed $seed, kill $kill: a pair that stood was made again: $lost"
done
[ "$reached" -ge $((kills / 2)) ] || fail "seed $seed: only $reached of $kills kills came before the batch's end."
before=$(inodes killed)
(run killed) 2>log || fail "seed $seed: the last run failed: $(cat log)"
lost=$(comm -23 <(printf '%s\n' "$before") <(inodes killed))
[ -z "$lost" ] || fail "seed $seed: the last run made a pair again that stood: $lost"
diff <(contents whole) <(contents killed) >&2 || fail "seed $seed: the two folders differ, as said above."
hidden=$(find killed -mindepth 1 -name '.*' ! -path 'killed/.livephoto-batch*')
[ -z "$hidden" ] || fail "seed $seed: this was left behind: $hidden"
echo "batch-resume: $clips pairs, byte for byte, through $reached kills of $kills runs (seed $seed)."
