#!/usr/bin/env bash
# Checks the inbox of Scripts/service: the units are valid and confined, files are taken when they are complete, what fails
# is set aside with its reason, and an interrupted delivery is continued.
#
# Usage: Tests/Scripts/inbox.sh [PROGRAM]
#
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"
most_exposure=2.5

start_test "$@"
export LIVEPHOTO=$program
inbox=$root/Scripts/service/livephoto-inbox
cd "$work"

# The units as an installation has them. systemd reads no other folder here.
# shellcheck source=Scripts/packaging/stage.sh
source "$root/Scripts/packaging/stage.sh"
mkdir -p "prefix with space/libexec/livephoto" "prefix with space/bin"
stage_service "prefix with space" "$work/prefix with space"
ln -s "$program" "prefix with space/bin/livephoto"
units="$work/prefix with space/lib/systemd/system"
export SYSTEMD_UNIT_PATH="$units:"
verify() { systemd-analyze verify --man=no "$units/livephoto-inbox@$(id -un)".{path,service}; }
verify >said 2>&1 || fail "systemd-analyze verify rejects the units: $(cat said)"
[ ! -s said ] || fail "systemd-analyze verify warns: $(cat said)"
exposure=$(systemd-analyze security --offline=true "$units/livephoto-inbox@.service" |
    sed -n 's/^.*exposure level for .*: \([0-9.]*\) .*/\1/p')
[[ $exposure =~ ^[0-9.]+$ ]] || fail "systemd-analyze security does not rate the service."
awk "BEGIN { exit !($exposure <= $most_exposure) }" ||
    fail "the service has an exposure of $exposure, more than $most_exposure."
sed -i 's/^ProtectHome=.*/ProtectHome=sometimes/' "$units/livephoto-inbox@.service"
verify >said 2>&1 || true
[ -s said ] || fail "systemd-analyze verify accepts a wrong unit."

# Usage: expect STATUS WORDS ARGUMENT…
expect() {
    local expected=$1 words=$2 status=0
    shift 2
    "$inbox" "$@" >said 2>&1 || status=$?
    [[ $status -eq $expected && $(<said) == *"$words"* ]] ||
        fail "livephoto-inbox $* exits with $status, not $expected, and says: $(cat said)"
}
expect 0 'Usage: livephoto-inbox' --help
expect 64 'error: name one folder'
expect 64 'error: unknown argument: --fast' --fast place
expect 64 'error: --settle needs' --settle soon place
LIVEPHOTO=$work/nothing expect 69 "error: there is no $work/nothing; install it." place
[ ! -e place ] || fail "a wrong command creates a folder."

ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=64x64:rate=15:duration=0.5 -c:v libx264 -preset ultrafast \
    -pix_fmt yuv420p clip.mp4
ffmpeg -v error -nostdin -i clip.mp4 -c copy clip.mkv
echo '{"input": "clip.mp4", "name": "slow"}' | "$program" batch - --output expected --quiet

# Usage: files FOLDER: what is in it, without the names of deliveries.
files() {
    find "place/$1" -type f -printf '%P\0' | tr '\n\0' '?\n' | sed 's|^[^/]*/||' | LC_ALL=C sort | paste -sd ' '
}
# Usage: holds FOLDER FILES
holds() { [ "$(files "$1")" = "$2" ] || fail "$1 has these files: $(files "$1"), not $2"; }

# A slow copy, a download that gets its name later, equal names, names with signs of patterns, and no clips.
mkdir -p place/inbox/trip/{100,101} place/inbox/empty
cp clip.mp4 place/inbox/trip/100/one.mp4
cp clip.mp4 place/inbox/trip/101/one.mp4
cp clip.mp4 clip.mkv place/inbox/
cp clip.mp4 'place/inbox/[x] {y} "z"*.mp4'
cp clip.mp4 $'place/inbox/two\nlines.mp4'
cp clip.mp4 $'place/inbox/\u202amark.mp4'
cp clip.mp4 $'place/inbox/\ufeffmark.mp4'
cp clip.mp4 place/inbox/late.mp4.part
echo text >place/inbox/notes.txt
{ head -c 4000 clip.mp4 && sleep 4 && tail -c +4001 clip.mp4; } >place/inbox/slow.mp4 &
(sleep 6 && mv place/inbox/late.mp4.part place/inbox/late.mp4) &
expect 1 'error: notes.txt: ' --settle 1 place
wait
names=('[x] _y_ "z"*' clip.mkv-1 clip.mp4-2 late slow trip/100/one trip/101/one $'\ufeffmark')
holds pairs "$(for name in "${names[@]}"; do printf '%s.JPG %s.MOV\n' "$name" "$name"; done | paste -sd ' ')"
holds 'done' '[x] {y} "z"*.mp4 clip.mkv clip.mp4 late.mp4 slow.mp4 trip/100/one.mp4 trip/101/one.mp4 '$'\ufeffmark.mp4'
holds failed 'notes.txt reasons.txt two?lines.mp4 '$'\u202amark.mp4'
grep -q '^notes.txt: .*(status 65)$' place/failed/*/reasons.txt || fail "reasons.txt lacks the reason and the status."
cmp place/pairs/*/slow.MOV expected/slow.MOV || fail "a clip that was copied slowly makes another movie."
[ -z "$(find place/inbox place/work -mindepth 1 ! -name .lock ! -name .busy)" ] ||
    fail "files are left in inbox or work."

# Names that are one name for many file systems get numbers, and no number that another clip's name has.
mkdir -p other/inbox
cp clip.mp4 $'other/inbox/Caf\u00e9.mp4'
cp clip.mkv $'other/inbox/Cafe\u0301.mkv'
cp clip.mp4 $'other/inbox/\u00c9.mp4'
cp clip.mp4 $'other/inbox/\u00e9.mp4'
cp clip.mp4 clip.mkv other/inbox/
cp clip.mp4 other/inbox/clip.mp4-2.mp4
sleep 1.2
expect 0 'converted clips: 7, failed files: 0' --settle 1 other
pairs=$(find other/pairs -name '*.MOV' -printf '%f\n' | LC_ALL=C sort | paste -sd ' ')
[ "$pairs" = $'Cafe\u0301.mkv-1.MOV Caf\u00e9.mp4-2.MOV clip.mkv-1.MOV clip.mp4-2.MOV clip.mp4-3.MOV \u00c9.mp4-1.MOV \u00e9.mp4-2.MOV' ] ||
    fail "the pairs of equal names are: $pairs"

# What failed is not tried again, and what is wrong with the settings is no reason to set clips aside.
expect 0 '' --settle 1 place
rm -r place
mkdir -p place/inbox
cp clip.mp4 place/inbox/
echo '{"preset": "none"}' >place/defaults.json
sleep 1.2
expect 64 "is continued the next time." --settle 1 place
[ -n "$(find place/work -name clip.mp4)" ] || fail "a wrong defaults.json loses the clip."
echo '{"audio": "none"}' >place/defaults.json

# A second one must wait; after a kill, the next run continues.
mkfifo block
printf '#!/bin/sh\necho $$ >%s\nexec sleep 60\n' "$work/block" >stuck
chmod 755 stuck
LIVEPHOTO=$work/stuck "$inbox" place 2>/dev/null &
stuck=$!
read -r batch <block
expect 75 'another livephoto-inbox uses' place
# What it has started holds the lock too.
kill -KILL "$stuck" "$batch"
wait "$stuck" 2>/dev/null || true
expect 0 'converted clips: 1, failed files: 0' --settle 1 place
holds pairs 'clip.JPG clip.MOV'

# What was moved before the interruption is no job any more: its name would be a pattern, which another clip matches. The
# folder of the defaults changes the name of a job.
mkdir -p again/inbox again/done/before
cp clip.mp4 'again/inbox/clip[1].mp4'
cp clip.mp4 again/inbox/clip1.mp4
echo '{"output": "all"}' >again/defaults.json
sleep 1.2
LIVEPHOTO=$work/stuck "$inbox" --settle 1 again 2>/dev/null &
stuck=$!
read -r batch <block
kill -KILL "$stuck" "$batch"
wait "$stuck" 2>/dev/null || true
mv again/work/*/'clip[1].mp4' again/done/before/
expect 0 'converted clips: 1, failed files: 0' --settle 1 again
[ "$(find again/pairs -type f -printf '%P\n' | sed 's|^[^/]*/||' | LC_ALL=C sort | paste -sd ' ')" = 'all/clip1.JPG all/clip1.MOV' ] ||
    fail "a continued delivery has these pairs: $(find again/pairs -type f)"
echo "inbox: units with an exposure of $exposure; complete files are taken, failed ones set aside, kills continued."
