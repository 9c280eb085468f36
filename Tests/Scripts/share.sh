#!/usr/bin/env bash
# Shares Live Photos with `livephoto share` on this machine, and fetches them as phones, computers and strangers do
# (Tests/Browser/test_share_*.py). Scripts/trial share does so between hosts, with many clients and large files.
#
# Usage: Tests/Scripts/share.sh [PROGRAM [TEST…]]
#
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
#   TEST       runs only these, such as test_share_files.EndTests.test_it_goes_on_with_keep
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

start_test "${@:1:1}"
cd "$work"

ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=640x360:rate=30:duration=3 -f lavfi -i sine=duration=3 \
    -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac beach.mp4
"$program" convert beach.mp4 --output pairs --quiet >/dev/null
"$program" convert beach.mp4 --output pairs --name silent --no-audio --still 1 --quiet >/dev/null
"$program" convert beach.mp4 --output pairs --name 'Blüte 2' --preset modern --still 2 --quiet >/dev/null
# Pairs by their identifiers, of which one has no pictures.
cp -r pairs damaged
mkdir damaged/more
cp pairs/beach.* damaged/more/
python3 - damaged/silent.MOV <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
place = data.index(b"stsd")
data[place:place + 4] = b"free"
open(sys.argv[1], "wb").write(data)
END
mkdir hostile
for name in '<img src=x onerror=alert(1)>' "'\"><script>alert(1)<&amp;"; do
    cp pairs/silent.JPG "hostile/$name.JPG"
    cp pairs/silent.MOV "hostile/$name.MOV"
done

tests=("${@:2}")
[ ${#tests[@]} -gt 0 ] || tests=(test_share_files test_share_strangers test_share_pages)
LIVEPHOTO=$program SHARE_FOLDER=$work PYTHONPATH=$root/Tests/Browser PYTHONDONTWRITEBYTECODE=1 \
    without_rights python3 -m unittest --quiet "${tests[@]}" || fail "tests of sharing failed."
echo "share: phones, computers and a browser get what is shared, and strangers nothing."
