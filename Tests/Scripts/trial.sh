#!/usr/bin/env bash
# Checks that Scripts/trial lists every trial, that each describes itself, and what happens with a wrong name or argument. On
# top of Scripts are only the commands that people run.
#
# Usage: Tests/Scripts/trial.sh
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

on_top=$(find Scripts -maxdepth 1 -type f ! -name '.*' -printf '%f\n' | LC_ALL=C sort | xargs)
[ "$on_top" = 'bench check demo documentation livephoto package test trial' ] ||
    fail "on top of Scripts are: $on_top; a trial belongs in Scripts/trials, a helper in Scripts/support."

Scripts/trial >"$work/list"
Scripts/trial --help | diff "$work/list" - || fail "Scripts/trial --help is not the list."
[ "$(wc -L <"$work/list")" -le 120 ] || fail "Scripts/trial prints a line of more than 120 characters."
count=0
for file in Scripts/trials/*; do
    name=${file##*/}
    grep -qE "^  $name +[A-Z][^.]*.* \(.+\)\.$" "$work/list" ||
        fail "$file: the second line does not say what it does (and, in brackets, how long it takes and what it needs)."
    Scripts/trial "$name" --help >"$work/help" || fail "Scripts/trial $name --help fails."
    grep -q "^Usage: Scripts/trial $name\b" "$work/help" || fail "Scripts/trial $name --help does not show its usage."
    status=0
    Scripts/trial "$name" --no-such-option >"$work/output" 2>&1 </dev/null || status=$?
    [[ $status -eq 1 && $(<"$work/output") =~ ^error:\ [^$'\n']*\(see\ Scripts/trial\ $name\ --help\)$ ]] ||
        fail "Scripts/trial $name exits with $status at an unknown option, and says: $(cat "$work/output")"
    count=$((count + 1))
done

for name in nothing ../test 'corpus sweep' --version; do
    status=0
    Scripts/trial "$name" >"$work/output" 2>&1 || status=$?
    [ "$status" -eq 64 ] || fail "Scripts/trial $name exits with $status, not 64."
    [[ $(<"$work/output") == "error: there is no trial $name; the trials are "*" corpus, "*" sweep, "*. ]] ||
        fail "Scripts/trial $name does not say which trials there are: $(cat "$work/output")"
done
echo "trial: $count trials are listed and describe themselves; other names are rejected."
