#!/usr/bin/env bash
# Checks a sample of Scripts/trial faults: some commands whose system calls fail, or which are killed. Planted faults, a
# program that leaves a part or something hidden, must be found, and a second start must continue.
#
# Usage: Tests/Scripts/faults.sh [PROGRAM]     (default: LIVEPHOTO, or an optimized build)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"
start_test "$@"

# Usage: trial RECORD OPTION…
trial() {
    local record=$1
    shift
    "$root/Scripts/trial" faults --program "$program" --folder "$work" --record "$work/$record" --jobs 2 --kills 1 \
        --table none "$@"
}

trial record --file-systems 'here,no links,vfat,exfat' --commands 'link in place, first key;pack pvt;undo' --sample 120 \
    >"$work/output" || fail "a fault did harm: $(cat "$work/output")"
grep -q '^here: [1-9].* 0 mixtures, 0 leftovers, 0 otherwise wrong$' "$work/output" ||
    fail "no fault was tried: $(cat "$work/output")"
sums=$(grep ' kills: ' "$work/output")
trial record --file-systems 'here,no links,vfat,exfat' --commands 'link in place, first key;pack pvt;undo' --sample 120 \
    >"$work/again"
if ! grep -q '; 0 left$' "$work/again" || [ "$(grep ' kills: ' "$work/again")" != "$sums" ]; then
    fail "a second start does not continue: $(cat "$work/again")"
fi

# A folder that is in its place has no inode number there by which it could be recognized.
trial exfat --file-systems exfat --commands 'pack pvt' --calls unlink --sample 20 >"$work/output" ||
    fail "a bundle stays although its command has failed: $(cat "$work/output")"

# A number that half of a pair has is not free.
trial card --file-systems here --commands 'pack dcim' --calls unlink,rename --sample 20 >"$work/output" ||
    fail "a kill leaves its half of a pair, or makes two of one: $(cat "$work/output")"

# Programs with faults: if it fails, one leaves a part of its result, the other a hidden folder.
# shellcheck disable=SC2016 # the planted programs expand it
plant() {
    printf '#!/usr/bin/env bash\n"%s" "$@"\nstatus=$?\n%s\nexit $status\n' "$program" "$2" >"$work/$1"
    chmod +x "$work/$1"
}
hidden=.livephoto-0123456789abcdef
plant mixing "((status == 0)) || echo part >a.livp"
plant littering "((status == 0)) || mkdir $hidden && chmod 755 $hidden"
sound=$program
for planted in 'mixing:not everything is as before' 'littering:something is left'; do
    program=$work/${planted%%:*}
    status=0
    trial "${planted%%:*}.record" --file-systems here --commands 'pack livp' --calls mkdir,write --sample 12 >"$work/output" \
        2>&1 || status=$?
    if [ "$status" -ne 1 ] || ! grep -q "${planted#*:}" "$work/output"; then
        fail "the trial does not find a program that is ${planted%%:*}: $(cat "$work/output")"
    fi
done
program=$sound
echo "faults: ${sums//$'\n'/; }"
