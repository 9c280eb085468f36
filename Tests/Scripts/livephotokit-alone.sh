#!/usr/bin/env bash
# Checks that LivePhotoKit builds and links without FFmpeg: a package that uses only the product LivePhotoKit is built
# with unusable headers of libav and libheif (it needs zlib and Nettle), and the result must contain nothing of FFmpegKit.
#
# Usage: Tests/Scripts/livephotokit-alone.sh
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"
find_swift

# The package is thrown away; what was compiled stays for the next time.
scratch=$root/.build/livephotokit-alone
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT

mkdir -p "$package/Sources/alone" "$scratch"
# The versions the main build has settled on.
[ ! -f "$root/Package.resolved" ] || cp "$root/Package.resolved" "$package"
cat >"$package/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "alone",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "$root")],
    targets: [
        .executableTarget(
            name: "alone", dependencies: [.product(name: "LivePhotoKit", package: "$(basename "$root")")])
    ]
)
END
cat >"$package/Sources/alone/main.swift" <<'END'
import LivePhotoKit
END

# Found before the system's own.
export CPATH=$package/headers
for header in libavcodec/avcodec.h libavutil/version.h libheif/heif.h; do
    mkdir -p "$CPATH/${header%/*}"
    echo '#error "LivePhotoKit needs no such header"' >"$CPATH/$header"
done
build=(swift build --package-path "$package" --scratch-path "$scratch" --product alone)
folder=$("${build[@]}" --show-bin-path)
unwanted=("$folder/FFmpegKit.build" "$folder/CFFmpegLog.build" "$folder/LivePhotoConversion.build")
rm -rf "${unwanted[@]}"

quietly "$package/build.log" "${build[@]}" || fail "LivePhotoKit does not build alone."
"$folder/alone" || fail "a program with LivePhotoKit alone does not run."
# Planning a build makes these folders; only compiling puts objects into them.
objects=$(find "${unwanted[@]}" -name '*.o' 2>/dev/null) || true
[ -z "$objects" ] || fail "building LivePhotoKit alone also compiles: $objects"
if functions=$(nm "$folder/alone" | grep -E ' (av_|heif_)'); then
    fail "a program with LivePhotoKit alone calls FFmpeg: $functions"
fi
echo "livephotokit-alone: LivePhotoKit builds, links and runs without FFmpeg."
