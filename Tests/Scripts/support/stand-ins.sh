# Sourced by the tests of packaging: a repository of another user (if run as root) in `sources`, and stand-ins for the
# compiler and the programs in `tools`.
# shellcheck shell=bash
# shellcheck disable=SC2154 # root and work come from the scripts that source this

sources=$work/sources tools=$work/toolchain/usr/bin
unset LIVEPHOTO_COMMIT SOURCE_DATE_EPOCH
export DEBFULLNAME=Somebody DEBEMAIL=somebody@example.org HOME=$work

# Usage: program FILE: writes stdin to an executable file.
program() {
    mkdir -p "$(dirname "$1")"
    cat >"$1"
    chmod 755 "$1"
}

# The compiler makes programs that know their commit, and empty maps of the linker.
program "$tools/swift" <<'END'
#!/usr/bin/env bash
while [ $# -gt 0 ]; do
    case $1 in
        --scratch-path) scratch=$2 ;;
        --configuration) folder=$scratch/$2 ;;
        --show-bin-path) echo "$folder" && exit ;;
        -Map=*) : >"${1#-Map=}" ;;
    esac
    shift
done
mkdir -p "$folder"
echo built >>"$folder/builds"
cat >"$folder/livephoto" <<PROGRAM
#!/bin/sh
case \$1 in
    --version) echo "livephoto 0.1.0 ($LIVEPHOTO_COMMIT)" ;;
    manual) echo page >"\$2/livephoto.1" ;;
    completions) echo "# \$2" ;;
esac
PROGRAM
cp "$folder/livephoto" "$folder/livephoto-media"
cp "$folder/livephoto" "$folder/livephoto-server"
chmod 755 "$folder"/livephoto*
END
# shellcheck disable=SC2016 # expanded by the stand-in
echo 'cp "${@: -1}" "${@: -2:1}"' | program "$tools/strip"
echo 'echo shlibs:Depends=libc6' | program "$tools/dpkg-shlibdeps"
echo : | program "$tools/apt-cache"
mkdir -p "$work/toolchain/usr/share/swift" "$sources/Sources"
echo '## Runtime Library Exception' >"$work/toolchain/usr/share/swift/LICENSE.txt"

cp -r "$root"/{Scripts,Documentation,Presets,LICENSE,CHANGELOG.md,Package.swift,.gitignore} "$sources/"
echo : | program "$sources/Scripts/support/bootstrap"
commit() { repository git -c user.name=a -c user.email=b commit --quiet --allow-empty --all --message "$1"; }
# Runs a command in the repository as its owner.
repository() {
    if [ "$(id -u)" -eq 0 ]; then set -- setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; fi
    (cd "$sources" && "$@")
}
chmod 755 "$work"
[ "$(id -u)" -ne 0 ] || chown -R 65534:65534 "$sources"
repository git init --quiet
repository git add .
commit first
