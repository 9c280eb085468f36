#!/usr/bin/env bash
# Checks the manual pages of `livephoto manual`: a page for each visible command, no warning of mandoc, the same exit
# statuses as in Documentation/Commands.md, and equal bytes for an equal date.
#
# Usage: Tests/Scripts/manual.sh [PROGRAM]
#
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

start_test "$@"

mkdir "$work/once" "$work/again"
for folder in once again; do SOURCE_DATE_EPOCH=1700000000 "$program" manual "$work/$folder"; done
diff -r "$work/once" "$work/again" || fail "the pages differ from run to run."
cd "$work/once"

expected=$("$program" --help | awk '/^SUBCOMMANDS:/ { on = 1; next } on && /^$/ { exit } on && /^  [a-z]/ { print "livephoto-" $1 ".1" }')
for page in livephoto.1 $expected livephoto-presets-show.1; do
    [ -s "$page" ] || fail "there is no page $page."
done
[ ! -e livephoto-manual.1 ] || fail "a hidden command has the page livephoto-manual.1."

# Every page that another refers to is there.
complaints=$(mandoc -T lint ./*.1 2>&1) || true
[ -z "$complaints" ] || fail "mandoc finds: $complaints"
while read -r page; do
    [ -f "$page.1" ] || fail "a page refers to $page(1), which does not exist."
done < <(grep -ho 'livephoto[a-z\\-]*\\fR(1)' ./*.1 | sed 's/\\fR(1)//; s/\\//g' | sort -u)

mandoc -T ascii livephoto-convert.1 | sed 's/.\x08//g' >page.txt
for text in '--tone-map operator' 'livephoto convert beach.mp4' '2023-11-14' 'LIVEPHOTO_SANDBOX' 'EXIT STATUS'; do
    grep -qF -- "$text" page.txt || fail "livephoto-convert(1) does not contain: $text"
done
mandoc -T ascii -O width=300 livephoto.1 | sed 's/.\x08//g' >page.txt
while IFS='|' read -r _ status meaning _; do
    meaning=$(sed "s/\`/'/g; s/^ *//; s/ *\$//" <<<"$meaning")
    grep -qF -- "$meaning." page.txt || fail "livephoto(1) lacks the exit status$status: $meaning"
done < <(grep -E '^\| *[0-9][0-9, ]*\|' "$root/Documentation/Commands.md")
echo "manual: $(find . -name '*.1' | wc -l) pages, and mandoc has no warning."
