#!/usr/bin/env bash
# Checks that each rule of Scripts/check can fail: a small package that breaks every rule once must produce exactly the
# findings marked in its files, and code that only resembles a violation must produce none.
#
# Usage: Tests/Scripts/check-rules.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here/../../.swift-format" "$folder"
cd "$folder"
git init --quiet

# Writes stdin to a file. A line that ends in `//!` (in C and Swift) or `#!` (in scripts) is to be found.
file() {
    mkdir -p "$(dirname "$1")"
    cat >"$1"
}

file Package.swift <<'END'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "example",
    targets: [
        .systemLibrary(name: "CFFmpeg"),
        .target(name: "Bytes"),
        .target(name: "QuickTime", dependencies: ["Bytes"]),
        .target(name: "FFmpegKit", dependencies: ["CFFmpeg"]),
        .target(
            name: "LivePhotoConversion",
            dependencies: [
                "FFmpegKit", "CFFmpeg", "CFFmpegLog", "CHeif", "CZlib", "CFileSystem", "CYAML", "CNettle", "CSandbox",
                "CBuild",
            ]),
        .target(name: "PresetFiles", path: "Presets"),
        .testTarget(name: "BytesTests", dependencies: ["Bytes"]),
    ]
)
END

file Sources/QuickTime/Imports.swift <<'END'
package import Bytes
import Dispatch
import FFmpegKit  //!
import Foundation  //!
@_exported public import struct LivePhotoConversion.Plan  //!

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/* import FFmpegKit
   /* nested */ import FFmpegKit */
let source = """
    import FFmpegKit // /*
    fatalError()
    """
let path = "\" fatalError() \" // /*" + #"\"# + "/*"
func `a "name" with fatalError() and /* in it`() {}
func fail() { fatalError() }  //!
END

file Sources/FFmpegKit/Imports.swift <<'END'
import CFFmpeg
import Foundation

let name = String(cString: pointer)
END

file Sources/QuickTime/Texts.swift <<'END'
let one = String(decoding: bytes, as: UTF8.self)  //!
let other = String(validating: bytes, as: UTF8.self)  //!
let third = [String(cString: pointer)]  //!
let fourth = String(
    decoding: bytes, as: UTF8.self)  //!
let fifth = String(number) + SomeString(decoding: bytes) + "String(decoding: bytes)"
END

file Sources/LivePhotoConversion/Imports.swift <<'END'
import CBuild  //!
import CFFmpeg  //!
import CFFmpegLog  //!
import CFileSystem  //!
import CHeif  //!
import CNettle  //!
import CSandbox  //!
import CYAML  //!
import CZlib  //!
import FFmpegKit
END

file Tests/BytesTests/Imports.swift <<'END'
import FFmpegKit  //!
import Testing

@testable import Bytes  //!

func stop() { fatalError() }
END

file Sources/Bytes/Unsafe.swift <<'END'
nonisolated(unsafe) var count = 0  //!
final class Unexplained: @unchecked Sendable {}  //!
// Invariant for all: nothing is ever stored.
final class Explained:
    @unchecked Sendable
{}
final class NoLongerExplained: @unchecked Sendable {}  //!
// TODO: later //!
let number = try! Int("1", radix: 2)!  //!
let other = number as! String  //!
let  spaced = 0  //!
END

file ARCHITECTURE.md <<'END'
- `Bytes`: Early, Late
END

file Sources/Bytes/Late/Late.swift <<'END'
struct Late { let early: Early }
private struct Hidden {}
END

file Sources/Bytes/Early/Early.swift <<'END'
struct Early {
    // Late, and "Late"
    let text = "Late \(1)"
    let other = "\(Late.self)"  //!
}
extension Late {  //!
    struct Hidden {}
}
END

file Sources/Bytes/Top.swift <<'END'
let late = Late.self
END

file Presets/Presets.swift <<'END'
func fail() { fatalError() }  //!
END

file Sources/CFFmpeg/shim.h <<'END'
#if LIBAVCODEC_VERSION_MAJOR < 60
#endif
END

file Sources/FFmpegKit/include/other.h <<'END'
#if LIBAVCODEC_VERSION_MAJOR < 60 //!
#endif
END

# The slashes come later: this file is held to the rules too.
sed 's/|/\//g' <<'END' | file Scripts/script
#!/usr/bin/env bash
cat ~|here $unquoted #!
cat |home|me|clip.mov #!
cat https:||example.org|home|page "${TMPDIR:-|tmp}|x"
END

awk 'BEGIN { for (i = 0; i < 400; i++) print "// line"; print "// line //!" }' | file Sources/Bytes/Long.swift
awk 'BEGIN { for (i = 0; i < 400; i++) print "// line" }' | file Sources/Bytes/Longish.swift
awk 'BEGIN { for (i = 0; i < 250; i++) print "// line" }' | file Sources/Bytes/Medium.swift
head -c 20481 /dev/zero | file Tests/clip.mov
head -c 20480 /dev/zero | file Tests/small.mov
awk 'BEGIN { for (i = 0; i < 4000; i++) print "000102030405" }' | file Tests/clip.hex
for page in Batch:2001 Formats:2000 Commands:2001; do
    awk -v n="${page#*:}" 'BEGIN { for (i = 0; i < n; i++) print "word" }' | file "Documentation/${page%:*}.md"
done

{
    grep -rnE '(//|#)!$' Presets Scripts Sources Tests | cut -d: -f1,2
    echo Tests/clip.mov:1
    echo Documentation/Batch.md:1
    echo note
} | sort -u >expected
status=0
"$here/../../Scripts/check" --rules . >output 2>/dev/null || status=$?
sed -E 's/^note: .*Longish.swift:251: 400 lines.*/note/; s/^([^:]*:[0-9]+):.*/\1/' output | sort -u >found
if ! diff expected found >differences; then
    echo "Scripts/check finds other breaches than were planted (< planted, > found):" >&2
    cat differences >&2
    exit 1
fi
[ "$status" -eq 1 ] || {
    echo "Scripts/check exits with $status when there are breaches, not with 1" >&2
    exit 1
}
echo "check-rules: each of the $(grep -c : expected) planted breaches was found, and nothing else."
