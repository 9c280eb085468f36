# Sourced by Scripts/package: lists what is in the programs and in the image, in SPDX 2.3 (JSON).
# shellcheck shell=bash
# shellcheck disable=SC2154 # root, scratch, work and SOURCE_DATE_EPOCH come from the scripts that source this

# Lists of parts have a line for each: NAME, VERSION, LICENCE, PURL (a package's address, may be empty), PLACE (where it
# was downloaded), RELATION to livephoto; separated by tabs.

# Prints LICENCE in SPDX's words for a Swift package, by its own words.
spdx_licence() {
    local file
    file=("$1"/LICENSE*)
    if ! grep -q 'Version 2.0, January 2004' "${file[0]}"; then
        echo NOASSERTION
    elif grep -q 'Runtime Library Exception' "${file[0]}"; then
        echo 'Apache-2.0 WITH Swift-exception'
    else
        echo Apache-2.0
    fi
}

# Prints the version of the toolchain, such as 6.2.
toolchain_version() {
    local text
    text=$(swift --version 2>&1) || true
    [[ $text =~ Swift\ version\ ([0-9.]+) ]] || fail "swift --version says nothing of a version: $text"
    printf '%s\n' "${BASH_REMATCH[1]}"
}

# The parts that are linked statically into the programs: Swift packages and libraries of the toolchain.
list_static_parts() {
    local part where place version described
    list_foreign_parts | while read -r part where; do
        if [ -d "$scratch/checkouts/$part" ]; then
            IFS=$'\t' read -r place version < <(jq -r --arg name "$part" '.pins[]
                | select(.identity == ($name | ascii_downcase))
                | [.location, .state.version // .state.revision] | @tsv' "$root/Package.resolved") ||
                fail "Package.resolved does not list the package $part; run swift package resolve."
            place=${place%.git}
            printf '%s\t%s\t%s\t%s\t%s\tSTATIC_LINK\n' "$part" "$version" "$(spdx_licence "$scratch/checkouts/$part")" \
                "pkg:swift/${place#*://}@$version" "$place"
        else
            described=$(describe_archive "$part")
            IFS=$'\t' read -r part where place <<<"$described"
            case $where in
                'Apache-2.0 with Swift-exception') where='Apache-2.0 WITH Swift-exception' ;;
                Expat) where=MIT ;;
            esac
            printf '%s\t%s\t%s\t\tNOASSERTION\tSTATIC_LINK\n' "$part" "$(toolchain_version)" "$where"
        fi
    done | LC_ALL=C sort -u
}

# The packages in a system, by dpkg's list of them on standard input. Usage: list_debian_packages <STATUS
list_debian_packages() {
    local distribution
    # shellcheck source=/dev/null
    distribution=$(. /etc/os-release && echo "$ID-${VERSION_ID:-${VERSION_CODENAME:-}}")
    awk -v distribution="$distribution" '
        function escaped(text) { gsub(/%/, "%25", text); gsub(/\+/, "%2B", text); gsub(/:/, "%3A", text); return text }
        function finish() {
            if (name != "" && name != "livephoto" && state ~ / installed$/)
                printf "%s\t%s\tNOASSERTION\tpkg:deb/debian/%s@%s?arch=%s&distro=%s\tNOASSERTION\tCONTAINS\n", name,
                    version, escaped(name), escaped(version), architecture, distribution
            name = version = architecture = state = ""
        }
        /^Package: / { name = $2 }
        /^Version: / { version = $2 }
        /^Architecture: / { architecture = $2 }
        /^Status: / { state = $0 }
        /^$/ { finish() }
        END { finish() }' | LC_ALL=C sort
}

# Writes the document about a file of a release. Usage: write_sbom FILE VERSION <PARTS: beside it, as FILE.spdx.json
write_sbom() {
    local name digest
    name=$(basename "$1")
    digest=$(sha256sum "$1" | cut -d ' ' -f 1)
    jq --raw-input --null-input --arg name "$name" --arg version "$2" --arg digest "$digest" \
        --arg date "$(date --utc --date="@$SOURCE_DATE_EPOCH" +%FT%TZ)" '
        def package($id): {
            SPDXID: $id, name: .[0], versionInfo: .[1], downloadLocation: .[4], filesAnalyzed: false,
            licenseConcluded: .[2], licenseDeclared: .[2], copyrightText: "NOASSERTION"
        } + (if .[3] == "" then {} else {externalRefs: [{
            referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: .[3]
        }]} end);
        [inputs | split("\t")] as $parts
        | [range($parts | length) | "SPDXRef-part-\(. + 1)"] as $ids
        | {
            spdxVersion: "SPDX-2.3", dataLicense: "CC0-1.0", SPDXID: "SPDXRef-DOCUMENT", name: $name,
            documentNamespace: "https://spdx.org/spdxdocs/\($name)-\($digest)",
            creationInfo: {created: $date, creators: ["Tool: livephoto-Scripts-package-\($version)"]},
            packages: ([(["livephoto", $version, "GPL-3.0-or-later", "", "NOASSERTION"] | package("SPDXRef-livephoto"))
                + {packageFileName: $name, checksums: [{algorithm: "SHA256", checksumValue: $digest}]}]
                + [range($parts | length) as $i | $parts[$i] | package($ids[$i])]),
            relationships: ([{
                spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES",
                relatedSpdxElement: "SPDXRef-livephoto"
            }] + [range($parts | length) as $i | {
                spdxElementId: "SPDXRef-livephoto", relationshipType: $parts[$i][5], relatedSpdxElement: $ids[$i]
            }])
        }' >"$1.spdx.json"
    printf '%s\n' "$1.spdx.json"
}

# Writes a document about each package and tarball in the folder.
make_sboms() {
    local file files=("$output"/livephoto_*.deb "$output"/livephoto-*.tar.xz) made=false
    list_static_parts >"$work/static-parts"
    for file in "${files[@]}"; do
        [ -f "$file" ] || continue
        write_sbom "$file" "$(source_version)" <"$work/static-parts"
        made=true
    done
    $made || fail "$output has no package and no tarball; make one first: Scripts/package deb --output $output"
}
