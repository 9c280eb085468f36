#!/usr/bin/env bash
# Checks that Scripts/trial corpus accepts a correct program (for a clip, a text and a sound) and detects each fault of
# others.
#
# Usage: Tests/Scripts/corpus.sh [PROGRAM]     (default: LIVEPHOTO, or an optimized build)
#
# shellcheck disable=SC2016 # the variables in single quotes are for the faulty programs
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"
start_test "$@"
clip=$'clips/a b\'s {clip}\n$1.mp4'
mkdir -p "$work/clips/deeper"
cd "$work"

ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=64x48:rate=15:duration=0.4 -pix_fmt yuv420p "file:$clip"
ffmpeg -v error -nostdin -f lavfi -i sine=duration=0.2 clips/deeper/sound.mp4
echo "Dear reader, this is no film." >clips/text.mp4
echo "Nor is this." >clips/notes.txt

# Runs Scripts/trial corpus, which is to exit with a status and to print each sentence.
# Usage: expect STATUS SENTENCE… -- ARGUMENT…
expect() {
    local wanted=$1 status=0 sentences=()
    shift
    while [ "$1" != -- ]; do
        sentences+=("$1")
        shift
    done
    shift
    TMPDIR=$work/temporary "$root/Scripts/trial" corpus --jobs 2 "$@" >table 2>progress || status=$?
    [ "$status" -eq "$wanted" ] || fail "Scripts/trial corpus $* exits with $status, not $wanted: $(cat table progress)"
    for sentence in "${sentences[@]}"; do
        grep -qF -e "$sentence" table || fail "Scripts/trial corpus $* does not say '$sentence': $(cat table progress)"
    done
    # `swift --version` leaves a folder of its own.
    left=$(find temporary -mindepth 1 -maxdepth 1 ! -name 'TemporaryDirectory.*')
    [ -z "$left" ] || fail "Scripts/trial corpus $* leaves files: $left"
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

# Pairs that are whole in themselves and not like the clip: the photo, and the movie, of another moment than is said.
mkdir moments
ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=64x48:rate=25:duration=4,fade=duration=4 -pix_fmt yuv420p moments/dawn.mp4
expect 0 "1 pairs, 0 refused, 0 failed" -- --program "$program" moments
faulty "'$program'"' convert "$2" --still 3 --output "$4" --json | sed "s/\(\"stillTimeInClip\":\)3/\11/"'
expect 1 "photo differs from a full decode at 1.000 s: mean luma" "; it is the frame of " \
    "movie frame at 0.000 s differs from a full decode around" "1 failed" -- --program ./faulty moments

# Sound that comes too late, with the clip's pictures.
ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=64x48:rate=25:duration=3 \
    -f lavfi -i "aevalsrc=random(0)*0.5*mod(floor(t*7)*floor(t*5)+floor(t*3)\\,3):duration=3" -c:a pcm_s16le clip.mov
ffmpeg -v error -nostdin -i clip.mov -itsoffset 0.04 -i clip.mov -map 0:v -map 1:a -c copy movie.mov
ffmpeg -v error -nostdin -i clip.mov -frames:v 1 -q:v 2 photo.jpg
report='"photo": "photo.jpg", "stillTime": 0, "stillTimeInClip": 0, "duration": 3, "frameRate": 25'
echo "{\"movie\": \"clip.mov\", $report}" >good.json
echo "{\"movie\": \"movie.mov\", $report}" >late.json
compare=(python3 -B "$root/Scripts/reference/full_decode.py" clip.mov)
"${compare[@]}" good.json || fail "full_decode.py finds a clip different from itself."
[[ $("${compare[@]}" late.json) == "sound is 40."*" ms late" ]] || fail "full_decode.py says: $("${compare[@]}" late.json)"

# Sound of which the beginning is missing.
ffmpeg -v error -nostdin -i clip.mov -c:v copy -af "volume=0:enable=lt(t\\,0.6)" -c:a pcm_s16le lost.mov
echo "{\"movie\": \"lost.mov\", $report}" >lost.json
[[ $("${compare[@]}" lost.json) == *"sound is lost: "* ]] || fail "full_decode.py finds no lost sound."

echo "corpus: a program that does right passes, and each of 11 faults is found."
