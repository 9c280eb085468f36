#!/usr/bin/env bash
# Scripts/corpus passes a program that does right by a clip, a text and a sound, and finds each fault of one that does not.
#
# Usage: Tests/Scripts/corpus.sh
#
# shellcheck disable=SC2016 # the faulty programs are to expand what stands in single quotes
set -euo pipefail
# shellcheck source=Scripts/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/shared.sh"
program=$root/.build/debug/livephoto
[ -x "$program" ] || fail "build the program first: swift build"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clip=$'clips/a b\'s {clip}\n$1.mp4'
mkdir -p "$work/clips/deeper"
cd "$work"

ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=64x48:rate=15:duration=0.4 -pix_fmt yuv420p "file:$clip"
ffmpeg -v error -nostdin -f lavfi -i sine=duration=0.2 clips/deeper/sound.mp4
echo "Dear reader, this is no film." >clips/text.mp4
echo "Nor is this." >clips/notes.txt

# Runs Scripts/corpus, which is to exit with a status and to print each sentence.
# Usage: expect STATUS SENTENCE… -- ARGUMENT…
expect() {
    local wanted=$1 status=0 sentences=()
    shift
    while [ "$1" != -- ]; do
        sentences+=("$1")
        shift
    done
    shift
    TMPDIR=$work/temporary "$root/Scripts/corpus" --jobs 2 "$@" >table 2>progress || status=$?
    [ "$status" -eq "$wanted" ] || fail "Scripts/corpus $* exits with $status, not $wanted: $(cat table progress)"
    for sentence in "${sentences[@]}"; do
        grep -qF -e "$sentence" table || fail "Scripts/corpus $* does not say '$sentence': $(cat table progress)"
    done
    # `swift --version` leaves a folder of its own.
    left=$(find temporary -mindepth 1 -maxdepth 1 ! -name 'TemporaryDirectory.*')
    [ -z "$left" ] || fail "Scripts/corpus $* leaves files: $left"
}

mkdir temporary
expect 0 "3 files: 1 pairs, 2 refused, 0 failed" "h264 64x48 yuv420p 15 fps" "no video stream" -- \
    --program "$program" --keep kept --check 'test -s {photo} && test -s {movie} && test -s {clip} && test {still} != ""' \
    clips
[ "$(find kept -type f -printf . | wc -c)" -eq 2 ] || fail "--keep keeps $(find kept -type f)"
expect 1 "the check says: no good" "2 refused, 1 failed" -- --program "$program" --check 'echo no good; false' clips

# A program with one fault; its arguments are convert CLIP --output FOLDER --json.
faulty() {
    printf '#!/usr/bin/env bash\n%s\n' "$1" >faulty
    chmod +x faulty
}
faulty 'kill -SEGV $$'
expect 1 "crashes with exit status 139" "3 failed" -- --program ./faulty clips
faulty 'exec sleep 60'
expect 1 "hangs: stopped after 1 s" "3 failed" -- --program ./faulty --timeout 1 clips
faulty 'mkdir "$4"; touch "$4/.half"; echo "error: no" >&2; exit 65'
expect 1 "leaves behind: text.mp4 .half" "3 failed" -- --program ./faulty clips
faulty 'echo "error: no" >&2; echo "what now?" >&2; exit 65'
expect 1 "says 2 lines, not one sentence" "3 failed" -- --program ./faulty clips
faulty 'echo "error: no" >&2; exit 1'
expect 1 "exits with 1, not 65" "3 failed" -- --program ./faulty clips
faulty 'echo "error: no" >&2; exit 65'
expect 1 "is refused, though ffmpeg decodes a picture: no" "2 refused, 1 failed" -- --program ./faulty clips
faulty 'mkdir "$4"; echo photo >"$4/p"; echo movie >"$4/m"; echo "{\"photo\": \"$4/p\", \"movie\": \"$4/m\"}"'
expect 1 "exiftool finds no common content identifier" "ffprobe finds no H.264" "though ffmpeg decodes no picture" \
    "3 failed" -- --program ./faulty clips

echo "corpus: a program that does right passes, and each of 8 faults is found."
