#!/usr/bin/env bash
# Opens `livephoto studio` on this machine, and makes and edits Live Photos as its page does, with and without a browser, and as
# strangers would try to (Tests/Browser/test_studio_*.py).
#
# Usage: Tests/Scripts/studio.sh [PROGRAM [TEST…]]
#
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
#   TEST       runs only these, such as test_studio_files.EditTests
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

start_test "${@:1:1}"
cd "$work"

# clip FILE SIZE SECONDS [OPTION…]
clip() {
    ffmpeg -v error -nostdin -f lavfi -i "testsrc2=size=$2:rate=30:duration=$3" -f lavfi -i "sine=duration=$3" \
        -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac "${@:4}" "$1"
}

clip beach.mp4 640x360 3
clip long.mp4 1920x1080 70 -g 60
"$program" convert beach.mp4 --output pairs --quiet >/dev/null
mkdir -p library unlinked
cp pairs/beach.* library/
clip library/one.mp4 320x240 2
clip library/two.mp4 320x240 2 -vf hue=h=90
head -c 20000 beach.mp4 >library/broken.mp4
"$program" unlink pairs/beach.JPG --output unlinked >/dev/null
mv unlinked/beach.JPG unlinked/IMG_1.JPG
mv unlinked/beach.MOV unlinked/IMG_1.MOV

tests=("${@:2}")
[ ${#tests[@]} -gt 0 ] || tests=(test_studio_{files,strangers,faults,page,keyboard})
export LIVEPHOTO=$program STUDIO_FOLDER=$work PYTHONPATH=$root/Tests/Browser PYTHONDONTWRITEBYTECODE=1
for test in "${tests[@]}"; do
    user=without_rights
    # Root without rights cannot be root in a namespace, where these tests mount a small file system.
    [[ $test != test_studio_faults* ]] || user="env"
    "$user" python3 -m unittest --quiet "$test" || fail "tests of the studio failed: $test."
done
echo "studio: the page makes what its commands make, and strangers get nothing."
