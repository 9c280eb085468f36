#!/usr/bin/env bash
# Checks that Scripts/documentation finds what it promises: public symbols without documentation (and nothing else), and
# links that lead nowhere. Then compiles the examples of the article about the libraries as another package would, which
# sees only what is public.
#
# Usage: Tests/Scripts/documentation.sh     (after Scripts/check or Scripts/test)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"
find_swift
cd "$root"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Lines that end in `//!` are to be found.
cat >"$folder/Planted.swift" <<'SWIFT'
/// A protocol.
public protocol Named {
    /// The name.
    var name: String { get }
    var size: Int { get }  //!
}

/// A structure.
public struct Box: Named, Hashable, Codable {
    public var name: String
    public var size = 1  //!
    /// The colour.
    public var color = Color.red
    package var weight = 2
    var depth = 3

    public init(name: String) {  //!
        self.name = name
    }

    /// A colour.
    public enum Color: String, Codable {
        case red  //!
        /// Green.
        case green
    }
}

extension Box: CustomStringConvertible {
    public var description: String { name }
}

public func empty() {}  //!
SWIFT
mkdir "$folder/symbols"
(
    cd "$folder"
    swiftc -swift-version 6 -package-name planted -module-name Planted -emit-module \
        -emit-module-source-info-path Planted.swiftsourceinfo "$folder/Planted.swift"
    swift symbolgraph-extract -module-name Planted -target "$(swiftc -print-target-info | jq -r .target.unversionedTriple)" \
        -I . -minimum-access-level public -skip-synthesized-members -output-dir symbols
    python3 "$root/Scripts/support/undocumented.py" symbols >found && fail "symbols without documentation were not found."
    diff <(grep -n '//!$' Planted.swift | cut -d: -f1) <(grep -o '^Planted.swift:[0-9]*' found | cut -d: -f2) >&2 ||
        fail "other symbols were found than those without documentation (left: expected lines, right: found)."
)

# A copy with a link that leads nowhere, which finds the modules that were built here.
copy=$folder/copy
mkdir -p "$copy/Sources"
cp -r Scripts Documentation Package.swift "$copy"
cp --parents Sources/*/ReexportedModules.swift "$copy"
cp -r --parents Sources/C* "$copy"
ln -s "$root/.build" "$copy/.build"
article=Documentation/LivePhoto.docc/Pipeline.md
# The text in quotes is an article's.
# shellcheck disable=SC2016
sed -i '3s/$/ See ``LivePhotoKit\/Nothing`` and <doc:Nowhere>./' "$copy/$article"
if "$copy/Scripts/documentation" --check --skip-build >"$folder/found"; then
    fail "links that lead nowhere were not found."
fi
for name in LivePhotoKit Nowhere; do
    grep -q "^$article:3:.*'$name'" "$folder/found" || fail "the link to $name was not found: $(cat "$folder/found")"
done

awk '/^```/ { inside = ($0 == "```swift"); next } inside' Documentation/LivePhoto.docc/Libraries.md >"$folder/Examples.swift"
find_modules
swiftc -typecheck -swift-version 6 "${module_options[@]}" "$folder/Examples.swift" ||
    fail "the examples of Documentation/LivePhoto.docc/Libraries.md do not compile outside of the package."
echo "documentation: what has no documentation and links that lead nowhere are found; the examples compile."
