#!/usr/bin/env bash
# Copies a Swift toolchain that is installed in /usr, as in the container image of swift.org, into a folder of its own,
# so that Scripts/trial bare can take it into other systems.
#
# Usage: Scripts/packaging/move-toolchain.sh FOLDER     (a new one; swift is then FOLDER/usr/bin/swift)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../support/shared.sh"

case ${1:-} in
    -h | --help)
        show_help
        exit
        ;;
    '') misuse "name a folder" ;;
esac
[ ! -e "$1" ] || fail "$1 exists already."
find_swift
swift=$(readlink -f "$(command -v swift)")
[[ $swift == /usr/bin/* ]] || fail "swift is $swift, not in /usr; nothing needs to be copied."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# All files that belong to no package of Debian. Packages list some in /lib, which is /usr/lib.
find /usr -xdev \( -type f -o -type l \) ! -path '/usr/local/*' ! -name '*.pyc' ! -lname '/etc/alternatives/*' |
    LC_ALL=C sort >"$work/all"
cat /var/lib/dpkg/info/*.list | sed -E 's,^/(bin|sbin|lib|lib64)/,/usr/\1/,' | LC_ALL=C sort -u >"$work/owned"
LC_ALL=C comm -23 "$work/all" "$work/owned" >"$work/files"
mkdir -p "$1"
tar --create --directory / --files-from <(cut -c 2- "$work/files") | tar --extract --directory "$1"
"$1/usr/bin/swift" --version >/dev/null || fail "the copy of swift in $1 does not start; its message is above."
