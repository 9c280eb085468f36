#!/usr/bin/env bash
# Runs the commands of .github/workflows/release.yml in a repository with stand-ins for the compiler, the programs and
# the system of the image, and checks the files of the release: apt repository, SBOMs, image, checksums.
#
# Usage: Tests/Scripts/release.sh
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

case ${1:-} in
    -h | --help)
        show_help
        exit
        ;;
esac
if ! command -v dpkg-scanpackages >/dev/null || ! command -v apt-get >/dev/null; then
    echo "release: not checked: this system has no dpkg-dev or no apt."
    exit
fi
find_swift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=Tests/Scripts/support/stand-ins.sh
source "$root/Tests/Scripts/support/stand-ins.sh"
explain() { fail "$* $(tail -n 20 "$work/messages")"; }

# What is linked into the programs: a Swift package and a library of the toolchain.
mkdir -p "$sources"/.build/package/{release/Logging.build,checkouts/swift-log/Sources}
echo '//checkouts/swift-log/Sources/Logging/Logging.swift' >"$sources/.build/package/release/Logging.build/sources"
echo 'Apache License Version 2.0, January 2004' >"$sources/.build/package/checkouts/swift-log/LICENSE.txt"
echo '// Copyright (c) 2018 Apple Inc.' >"$sources/.build/package/checkouts/swift-log/Sources/Logging.swift"
cat >"$sources/Package.resolved" <<'END'
{"pins": [{
    "identity": "swift-log", "location": "https://example.org/apple/swift-log.git", "state": {"version": "1.6.0"}
}]}
END
cat >"$work/map" <<END
  1000  1000  20  8  $sources/.build/package/release/Logging.build/Logging.swift.o:(.text)
  2000  2000  20  8  /usr/lib/swift_static/linux/libswiftCore.a(Array.o):(.text)
END
# shellcheck disable=SC2016 # expanded by the stand-in
sed -i -e "s|-Map=\*) :|-Map=*) cat '$work/map'|" \
    -e '2a [ "$*" != --version ] || { echo "Swift version 6.2.1 (swift-6.2.1-RELEASE)"; exit; }' "$tools/swift"
# The trial makes a package on each release of Debian; the image's system has the packages of this one.
program "$sources/Scripts/trials/package-check" <<'END'
#!/usr/bin/env bash
set -euo pipefail
[ "$1" = --output ]
folder=$2
shift 2
file=$(Scripts/package deb --output "$folder")
rm -rf .build/parts
dpkg-deb --raw-extract "$file" .build/parts
rm "$file"
for release in "$@"; do
    case $release in bookworm) number=12 ;; trixie) number=13 ;; esac
    sed -i -E "s/^(Version: .*~).*/\1deb$number/" .build/parts/DEBIAN/control
    file=$folder/livephoto_0.1.0-1~deb${number}_$(dpkg --print-architecture).deb
    dpkg-deb --root-owner-group --build .build/parts "$file"
done
END
program "$tools/mmdebstrap" <<'END'
#!/usr/bin/env bash
set -euo pipefail
folder=$(mktemp -d)
mkdir -p "$folder/var/lib/dpkg"
printf 'Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1:2.36-9+deb12u1\n\n' \
    >"$folder/var/lib/dpkg/status"
tar --directory "$folder" --sort=name --mtime=@0 --create --file "${@: -2:1}" .
rm -rf "$folder"
END
echo 'echo Debian http://example.org/debian bookworm main' | program "$tools/apt-get"
repository git add Scripts
commit release
repository git tag v0.1.0

# Runs the commands of a step of the workflow. Usage: run_step NAME
run_step() {
    python3 - "$root/.github/workflows/release.yml" "$1" >"$work/commands" <<'END'
import sys, yaml
steps = [step for job in yaml.safe_load(open(sys.argv[1]))["jobs"].values() for step in job["steps"]]
print(next(step["run"] for step in steps if step.get("name") == sys.argv[2]))
END
    (cd "$sources" && PATH=$tools:$PATH bash -euo pipefail "$work/commands") >"$work/messages" 2>&1 ||
        explain "the step $1 fails:"
}

export GNUPGHOME=$work/gnupg
mkdir -m 700 "$GNUPGHOME"
quietly "$work/messages" gpg --batch --passphrase '' \
    --quick-generate-key 'livephoto <livephoto@example.org>' ed25519 sign never
APT_SIGNING_KEY=$(gpg --armor --export-secret-keys)
export APT_SIGNING_KEY
rm -rf "$GNUPGHOME"
mkdir -m 700 "$GNUPGHOME"
run_step 'Debian packages'
run_step Tarball
with_image=true
# Only root can make the system of an image.
if [ "$(id -u)" -eq 0 ]; then run_step Image; else with_image=false; fi
run_step 'Names that a release can have'
run_step SBOMs
run_step 'Apt repository and checksums'
dist=$sources/dist architecture=$(dpkg --print-architecture)
gpgconf --kill all
(cd "$dist" && sha256sum --check --quiet SHA256SUMS) || fail "the checksums are wrong."
[ -z "$(find "$dist" -mindepth 1 -name '*[^A-Za-z0-9._-]*')" ] ||
    fail "GitHub would rename some files of: $(ls "$dist")"
expected=$'SHA256SUMS\nlivephoto-apt-key.gpg\nlivephoto-apt-repository.tar'
for file in "livephoto-0.1.0-linux-$(uname -m).tar.xz" livephoto_0.1.0-1.deb1{2,3}_"$architecture.deb"; do
    expected+=$'\n'$file$'\n'$file.spdx.json
done
if $with_image; then
    image=livephoto-0.1.0-linux-$(uname -m).oci.tar
    expected+=$'\n'$image$'\n'$image.spdx.json
fi
diff <(LC_ALL=C sort <<<"$expected") <(cd "$dist" && find . -type f -printf '%P\n' | LC_ALL=C sort) ||
    fail "the release has other files (>) than it should (<)."

# Apt gets each release its own package, and rejects an index that was changed.
tar --directory "$work" --extract --file "$dist/livephoto-apt-repository.tar"
# Usage: try_apt RELEASE
try_apt() {
    local folder=$work/apt-$1 options
    rm -rf "$folder"
    mkdir -p "$folder"/{lists,cache,download}
    echo "deb [signed-by=$dist/livephoto-apt-key.gpg] file:$work/apt $1 main" >"$folder/sources.list"
    options=(-o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root
        -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null)
    (
        cd "$folder/download"
        apt-get "${options[@]}" update && apt-get "${options[@]}" download livephoto
    ) >"$work/messages" 2>&1
}
for pair in bookworm/12 trixie/13; do
    try_apt "${pair%/*}" || explain "apt does not get the package for ${pair%/*}:"
    files=("$work/apt-${pair%/*}/download"/*.deb)
    [ "$(dpkg-deb --field "${files[0]}" Version)" = "0.1.0-1~deb${pair#*/}" ] ||
        fail "for ${pair%/*}, apt gets $(basename "${files[0]}")."
    cmp "${files[0]}" "$dist/livephoto_0.1.0-1.deb${pair#*/}_$architecture.deb"
done
echo >>"$work/apt/dists/trixie/Release"
sed -i 's/^Codename: trixie/Codename: trixie2/' "$work/apt/dists/trixie/InRelease"
! try_apt trixie || fail "apt accepts an index that was changed after it was signed."
grep -q BADSIG "$work/messages" || explain "apt rejects the changed index with:"

# The SBOMs name the file, and what is in it.
for file in "$dist"/*.spdx.json; do
    jq -e --arg digest "$(sha256sum "${file%.spdx.json}" | cut -d ' ' -f 1)" '.spdxVersion == "SPDX-2.3"
        and .packages[0].checksums[0].checksumValue == $digest
        and any(.packages[]; .name == "swift-log" and .versionInfo == "1.6.0" and .licenseDeclared == "Apache-2.0"
            and .externalRefs[0].referenceLocator == "pkg:swift/example.org/apple/swift-log@1.6.0")
        and any(.packages[]; .name == "swift" and .versionInfo == "6.2.1")' "$file" >/dev/null ||
        fail "${file##*/} lacks a part: $(jq -c '.packages[]' "$file")"
done

# Every digest in the image is that of the file it names.
if $with_image; then
    jq -e 'any(.packages[]; .name == "libc6" and .versionInfo == "1:2.36-9+deb12u1")' \
        "$dist/$image.spdx.json" >/dev/null ||
        fail "the SBOM of the image does not list its Debian packages."
    mkdir "$work/image"
    tar --directory "$work/image" --extract --file "$dist/$image"
    cd "$work/image"
    for file in blobs/sha256/*; do
        [ "$(sha256sum "$file" | cut -d ' ' -f 1)" = "${file##*/}" ] || fail "the image has a wrong digest: $file"
    done
    manifest=blobs/sha256/$(jq -r '.manifests[0].digest | ltrimstr("sha256:")' index.json)
    config=blobs/sha256/$(jq -r '.config.digest | ltrimstr("sha256:")' "$manifest")
    layer=blobs/sha256/$(jq -r '.layers[0].digest | ltrimstr("sha256:")' "$manifest")
    unpacked=$(gzip --decompress --stdout "$layer" | sha256sum | cut -d ' ' -f 1)
    [ "$(jq -r '.rootfs.diff_ids[0]' "$config")" = "sha256:$unpacked" ] ||
        fail "the image has a wrong digest of its layer."
    [ "$(jq -r '.config.User' "$config")" = 1000:1000 ] ||
        fail "the image runs as another user: $(jq -c .config "$config")"
fi
echo "release: the workflow's commands make packages, tarball, image, SBOMs, apt repository and checksums that fit."
