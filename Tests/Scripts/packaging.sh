#!/usr/bin/env bash
# Checks Scripts/package and Scripts/livephoto in a repository of another user (if run as root), with stand-ins for the
# compiler and the programs: what an installation replaces and keeps, versions of packages, and when a build is repeated.
#
# Usage: Tests/Scripts/packaging.sh
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

case ${1:-} in
    -h | --help)
        show_help
        exit
        ;;
esac
find_swift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=Tests/Scripts/support/stand-ins.sh
source "$root/Tests/Scripts/support/stand-ins.sh"
package() { PATH=$tools:$PATH "$sources/Scripts/package" "$@" 2>"$work/messages"; }
livephoto() { PATH=$tools:$PATH "$sources/Scripts/livephoto" "$@" 2>"$work/messages"; }
explain() { fail "$* $(cat "$work/messages")"; }

# Another commit causes a build, the same one does not.
first=$(livephoto --version) || explain "Scripts/livephoto fails:"
[[ $first == "livephoto 0.1.0 ($(repository git rev-parse --short=7 HEAD))" ]] || fail "the first build names: $first"
[[ $(livephoto --version) == "$first" && $(wc -l <"$sources/.build/programs/debug/builds") -eq 1 ]] ||
    fail "Scripts/livephoto builds unchanged sources again."
commit second
second=$(livephoto --version)
[[ $second != "$first" ]] || fail "Scripts/livephoto names an old commit: $second"

# A clone by another user, and sources inside the repository of something else.
# shellcheck disable=SC2016
bash -euc 'source "$1"; clone_repository "$2"' bash "$sources/Scripts/support/shared.sh" "$work/clone"
[ -x "$work/clone/Scripts/package" ] || fail "the clone lacks Scripts/package."
cp -r "$work/clone/Scripts" "$work/clone/Documentation/"
# shellcheck disable=SC2016
inner=$(bash -euc 'source "$1"; set_commit; echo "$LIVEPHOTO_COMMIT"' bash "$work/clone/Documentation/Scripts/support/shared.sh")
[ -z "$inner" ] || fail "sources without a repository name a commit: $inner"

# An installation replaces an older one and keeps what belongs to others.
prefix=$work/prefix
package install --prefix "$prefix" || explain "install fails:"
manifest=$prefix/share/doc/livephoto/installed-files.txt
echo share/doc/livephoto/old/old.txt >>"$manifest"
mkdir "$prefix/share/doc/livephoto/old"
touch "$prefix/share/doc/livephoto/old/old.txt" "$prefix/share/man/man1/other.1"
commit third
package install --prefix "$prefix" || explain "the second install fails:"
[[ ! -e $prefix/share/doc/livephoto/old ]] || fail "install leaves files of the older version."
[[ $("$prefix/bin/livephoto" --version) == "livephoto 0.1.0 ($(repository git rev-parse --short=7 HEAD))" ]] ||
    fail "install leaves the older program."
diff <(LC_ALL=C sort "$manifest") <(cd "$prefix" && find . -type f ! -name other.1 -printf '%P\n' | LC_ALL=C sort) ||
    fail "the manifest does not list what is installed."

# If a file cannot be installed, nothing changes.
mv "$prefix/share/zsh" "$work/zsh"
touch "$prefix/share/zsh"
commit fourth
before=$("$prefix/bin/livephoto" --version)
! package install --prefix "$prefix" || fail "install does not report a file in place of a folder."
grep -q "share/zsh is a file" "$work/messages" || explain "the message about a file in place of a folder:"
[[ $("$prefix/bin/livephoto" --version) == "$before" ]] || fail "an installation that fails replaces the program."
rm "$prefix/share/zsh"
mv "$work/zsh" "$prefix/share/zsh"
package uninstall --prefix "$prefix" || explain "uninstall fails:"
[[ $(find "$prefix" -type f -printf '%P ') == 'share/man/man1/other.1 ' ]] || fail "uninstall leaves or takes other files."

! package deb --output || fail "deb --output works without a folder."
grep -q '^error: --output needs a folder' "$work/messages" || explain "the message about a missing folder:"

# The version of a package names the commit, unless the commit has the tag of its version.
if command -v dpkg-deb >/dev/null; then
    export SOURCE_DATE_EPOCH=1700000000
    development=$(package deb --output "$work") || explain "deb fails:"
    repository git tag v0.1.0
    release=$(package deb --output "$work") || explain "deb fails:"
    [[ -f $development && ${development##*/} == livephoto_0.1.0+git20231114221320.*-1~* ]] ||
        fail "the package of a commit without a tag: $development"
    [[ -f $release && ${release##*/} == livephoto_0.1.0-1~* ]] || fail "the package of a tagged commit: $release"
    dpkg --compare-versions "$(dpkg-deb --field "$release" Version)" lt "$(dpkg-deb --field "$development" Version)" ||
        fail "the package of a later commit is not newer than that of the release."
fi

# The commit is text, whatever its letters mean to a compiler, and nothing but a name.
dump_manifest() { LIVEPHOTO_COMMIT=$1 swift package --package-path "$root" dump-package 2>&1; }
[[ $(dump_manifest linux) == *'LIVEPHOTO_COMMIT=\"linux\"'* ]] || fail "the manifest does not quote the commit."
if text=$(dump_manifest 'a"b'); then fail "the manifest accepts a commit with a quotation mark."; fi
[[ $text == *'LIVEPHOTO_COMMIT may contain only'* ]] || fail "the manifest rejects a commit with: ${text:0:400}"

# Without apt, the tools of the tests are looked for too.
mkdir "$work/few"
for name in bash dirname readlink awk grep uname cat; do ln -s "$(command -v $name)" "$work/few/"; done
text=$(PATH=$work/few "$root/Scripts/support/bootstrap" --check --developer 2>&1) || true
for name in bash-completion zsh fish mandoc; do
    [[ $text == *"$name"* ]] || fail "Scripts/support/bootstrap does not look for $name without apt: $text"
done
echo "packaging: installations, versions of packages and repeated builds are right."
