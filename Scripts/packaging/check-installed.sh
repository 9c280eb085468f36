#!/usr/bin/env bash
# Installs the package in a folder, tries it as a user would, and removes it. Changes the system that it runs on:
# Scripts/trial package-check runs it on a minimal one.
#
# Usage: Scripts/packaging/check-installed.sh FOLDER     (with one .deb and clip.mp4)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../support/shared.sh"

case ${1:-} in
    -h | --help)
        show_help
        exit
        ;;
    '') fail "name the folder of the package." ;;
esac
[ ! -e /usr/bin/livephoto ] || fail "livephoto is installed already; this needs a system of its own."
packages=("$1"/*.deb)
[[ ${#packages[@]} -eq 1 && -f ${packages[0]} ]] || fail "$1 must contain one package."
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
# Where apt can read it as its own user.
package=$work/$(basename "${packages[0]}")
cp "${packages[0]}" "$package"

now() { date +%s%N; }
# Usage: timed WORDS COMMAND…
timed() {
    local words=$1 began
    began=$(now)
    shift
    quietly "$work/log" "$@" || fail "$words: failed: $*"
    printf '%s: %s s\n' "$words" "$(awk "BEGIN { printf \"%.2f\", ($(now) - $began) / 1e9 }")"
}
as_user() {
    local home=$work/home
    mkdir -p "$home"
    chown 65534:65534 "$home"
    (cd "$home" && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$home" "$@")
}
# Scripts/trial bare copies the configuration of apt, for which packages must not ask.
apt() { apt-get --quiet --yes --no-install-recommends -o Dpkg::Options::=--force-confold "$@"; }
# Everything on this system except what installing any package changes.
snapshot() {
    find / -xdev \( -path /proc -o -path "$work" -o -path /output -o -path /var/cache -o -path /var/log \
        -o -path /var/lib/dpkg -o -path /var/lib/apt \) -prune -o -print | LC_ALL=C sort
}

use_package() {
    local found page
    rm -rf "${work:?}/home"
    timed 'livephoto --version' as_user livephoto --version
    timed 'livephoto doctor' as_user livephoto doctor
    timed 'convert, 5 s of 1080p' as_user livephoto convert "$1/clip.mp4" --output pair
    timed 'verify' as_user livephoto verify pair
    for found in bash-completion/completions/livephoto zsh/vendor-completions/_livephoto \
        fish/vendor_completions.d/livephoto.fish doc/livephoto/copyright; do
        [ -s "/usr/share/$found" ] || fail "/usr/share/$found is missing or empty."
    done
    bash -n /usr/share/bash-completion/completions/livephoto
    for page in livephoto livephoto-convert; do
        found=$(man --where "$page") || fail "there is no manual page $page"
        man "$page" >"$work/page" 2>"$work/page-warnings" || fail "man $page: failed"
        [ ! -s "$work/page-warnings" ] || fail "man $page: $(cat "$work/page-warnings")"
        printf 'manual page: %s, %s lines\n' "$found" "$(wc -l <"$work/page")"
    done
}

! command -v swift >/dev/null || fail "Swift is installed here; the package must do without."
quietly "$work/log" apt-get --quiet update || fail "apt-get update failed; its messages are above."
printf 'package: %s bytes, %s KiB installed\n' "$(stat -c %s "$package")" "$(dpkg-deb --field "$package" Installed-Size)"
timed 'apt-get install with dependencies' apt install "$package"
# The manual pages need a reader, as every desktop has one.
timed 'apt-get install man-db' apt install man-db
use_package "$1"
timed 'apt-get remove' apt remove livephoto
! dpkg-query --show livephoto >/dev/null 2>&1 || fail "dpkg still lists livephoto after apt-get remove."
snapshot >"$work/before"
timed 'dpkg --install' dpkg --install "$package"
use_package "$1" >/dev/null
timed 'dpkg --purge' dpkg --purge livephoto
snapshot >"$work/after"
diff "$work/before" "$work/after" || fail "using and removing the package changed the files listed above."
left=$(grep livephoto "$work/after" | grep -v "^$root\(/\|\$\)") || true
[ -z "$left" ] || fail "left behind: $left"
echo 'removed: no file is left'
timed 'apt-get install lintian' apt install lintian
lintian --allow-root --fail-on error,warning "$package" || fail "lintian reports errors or warnings."
echo 'lintian: no error, no warning'
