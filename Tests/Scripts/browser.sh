#!/usr/bin/env bash
# Uses the pages of `livephoto preview`, `batch report --html` and `frames` in a headless Chromium (Tests/Browser): by mouse,
# keyboard and touch, with hostile names, and with 500 pairs.
#
# Usage: Tests/Scripts/browser.sh [PROGRAM [TEST…]]
#
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
#   TEST       runs only these, such as PageTests.test_sound_is_off_until_it_is_asked_for
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

start_test "${@:1:1}"
unset LIVEPHOTO_SANDBOX
cd "$work"

# Frames that differ from each other, so that another one than the still is noticed.
encode=(-c:v libx264 -preset ultrafast -pix_fmt yuv420p)
ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=640x360:rate=30:duration=3 -f lavfi -i sine=duration=3 \
    "${encode[@]}" -c:a aac beach.mp4
ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=96x128:rate=15:duration=1 "${encode[@]}" -an silent.mp4
"$program" convert beach.mp4 silent.mp4 --output pairs --quiet >/dev/null
ffmpeg -v error -nostdin -i pairs/beach.MOV -map 0:v -map 0:a -c:v libx265 -preset ultrafast -tag:v hvc1 \
    -x265-params log-level=none -c:a copy hevc.MOV
ffmpeg -v error -nostdin -i pairs/beach.JPG photo.png
heif-enc photo.png -o hevc.HEIC >/dev/null
"$program" link hevc.HEIC hevc.MOV --still 1.5 --output pairs >/dev/null
cp pairs/silent.JPG pairs/broken.JPG
printf 'no movie' >pairs/broken.MOV

mkdir many hostile
for number in {001..500}; do
    ln pairs/silent.JPG "many/IMG_$number.JPG"
    ln pairs/silent.MOV "many/IMG_$number.MOV"
done
for name in '<img src=x onerror=alert(1)>' "'\"><script>alert(1)<&amp;" 'ü #1 100%?a=b+c' 'javascript:alert(1)'; do
    cp pairs/silent.JPG "hostile/$name.JPG"
    cp pairs/silent.MOV "hostile/$name.MOV"
done
# The identifier of the movie is part of a finding; it has 36 bytes.
identifier=$("$program" inspect pairs/silent.MOV --json | jq -r .movie.contentIdentifier)
LC_ALL=C sed -i "s/$identifier/<script>alert(1)<\/script>-----------/" 'hostile/javascript:alert(1).MOV'

printf 'version: 1\njobs:\n  - input: %s\n' "$work/beach.mp4" >jobs.yaml
"$program" batch jobs.yaml --output batch --quiet >/dev/null

PYTHONPATH=$root/Tests/Browser PYTHONDONTWRITEBYTECODE=1 \
    python3 "$root/Tests/Browser/pages.py" "$program" "$work" "${@:2}" || fail "tests in the browser failed."
echo "browser: the pages of preview, report and frames work in Chromium."
