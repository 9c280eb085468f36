# Sourced by Scripts/package: the copyright and licences of everything that is linked statically into the programs. The
# packages are those that the linker's maps name; their holders and licences are read from their sources.
# shellcheck shell=bash
# shellcheck disable=SC2154 # root, scratch and products come from the scripts that source this

apache_reference='On Debian systems, the complete text of the Apache License, version 2.0, is in
/usr/share/common-licenses/Apache-2.0.'

# Prints `PART PRODUCT…` for each part of the programs except this repository and the system.
list_foreign_parts() {
    local product
    for product in "${products[@]}"; do
        list_parts "$product" | awk -v product="$product" '
            $2 != "livephoto" && $2 != "tables" && $2 != "system" { print $2, product }'
    done | awk '{ where[$1] = where[$1] (where[$1] == "" ? "" : " and ") $2 }
        END { for (part in where) print part, where[part] }' | LC_ALL=C sort
}

# Prints `COMPONENT<tab>LICENCE<tab>COPYRIGHT` for an archive of the Swift toolchain, which has no list of its own.
describe_archive() {
    local apple='Apple Inc. and the Swift project authors'
    case $1 in
        libswift*.a) printf 'swift\tApache-2.0 with Swift-exception\t2014-2026 %s\n' "$apple" ;;
        lib_FoundationICU.a)
            fail "$1 is linked into the programs, with the licence of ICU; add its text to Scripts/packaging/licences.sh"
            ;;
        lib*Foundation*.a) printf 'swift-foundation\tApache-2.0 with Swift-exception\t2014-2026 %s\n' "$apple" ;;
        libdispatch.a) printf 'swift-corelibs-libdispatch\tApache-2.0 with Swift-exception\t2008-2026 %s\n' "$apple" ;;
        libBlocksRuntime.a)
            printf 'swift-corelibs-libdispatch/src/BlocksRuntime\tExpat\t2008-2010 Apple, Inc.\n'
            ;;
        *) fail "$1 is linked into the programs; add its copyright to Scripts/packaging/licences.sh" ;;
    esac
}

# The holders of the copyright in a package's sources, each with the first and the last year.
list_holders() {
    grep -rhoE 'Copyright \([cC]\) [0-9]{4}.*' "$1/Sources" | awk '
        {
            sub(/^Copyright \([cC]\) /, "")
            match($0, /^[0-9 ,-]+/)
            years = substr($0, 1, RLENGTH)
            holder = substr($0, RLENGTH + 1)
            sub(/\. All rights reserved.*$/, "", holder)
            sub(/[ .*\/]+$/, "", holder)
            while (match(years, /[0-9][0-9][0-9][0-9]/)) {
                year = substr(years, RSTART, 4)
                if (!(holder in first) || year < first[holder]) first[holder] = year
                if (year > last[holder]) last[holder] = year
                years = substr(years, RSTART + 4)
            }
        }
        END {
            for (holder in first)
                print (first[holder] == last[holder] ? first[holder] : first[holder] "-" last[holder]) " " holder
        }' | LC_ALL=C sort
}

# Lines of a field after its first: indented, with a full stop for an empty one.
indent_field() { sed -e 's/[[:space:]]*$//' -e 's/^$/./' -e 's/^/ /'; }

# The toolchain's licence: Apache-2.0 followed by the exception.
toolchain_licence() {
    local file
    file=$(dirname "$(readlink -f "$(command -v swift)")")/../share/swift/LICENSE.txt
    [ -f "$file" ] || fail "the Swift toolchain has no share/swift/LICENSE.txt"
    cat "$file"
}

write_package_paragraph() {
    local name=$1 where=$2 folder=$scratch/checkouts/$1 file licence=() holders
    licence=("$folder"/LICENSE*)
    file=${licence[0]}
    [ -f "$file" ] || fail "the package $name has no file LICENSE."
    holders=$(list_holders "$folder")
    [ -n "$holders" ] || fail "the sources of the package $name name no holder of the copyright."
    printf '\nFiles: %s/*\nCopyright:\n%s\n' "$name" "$(indent_field <<<"$holders")"
    if ! grep -q 'Version 2.0, January 2004' "$file"; then
        printf 'License: %s\n' "$name"
        indent_field <"$file"
    elif grep -q 'Runtime Library Exception' "$file"; then
        echo 'License: Apache-2.0 with Swift-exception'
    else
        echo 'License: Apache-2.0'
    fi
    printf 'Comment: linked into %s\n' "$where"
}

# A paragraph for each project of the toolchain: several archives may belong to one.
write_archive_paragraphs() {
    local part where described
    while read -r part where; do
        [ ! -d "$scratch/checkouts/$part" ] || continue
        described=$(describe_archive "$part")
        printf '%s\t%s\n' "$described" "$where"
    done | awk -F '\t' '
        { key = $1 FS $2 FS $3 }
        # The longest list of programs: a project that is in both has an archive that is in both.
        length($4) > length(where[key]) { where[key] = $4 }
        END { for (key in where) print key FS where[key] }' | LC_ALL=C sort | awk -F '\t' '{
            printf "\nFiles: %s/*\nCopyright: %s\nLicense: %s\n", $1, $3, $2
            printf "Comment: part of the Swift toolchain, linked into %s\n", $4
        }'
}

write_header() {
    cat <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: livephoto
License: GPL-3+
Comment:
 The sources of livephoto are under the Expat (MIT) licence. livephoto-media
 is linked with FFmpeg and, through it, with libx264, which are under the GNU
 General Public License, version 2 or later, as Debian builds them. It also
 contains parts under the Apache License 2.0, which is compatible only with
 version 3 of that licence. So livephoto-media as a whole can be distributed
 under the GNU General Public License, version 3 or later.
 .
 The paragraphs about other projects are about the parts of them that are
 linked statically into the programs. The folder notices contains their notices.

Files: *
Copyright: $(sed -n 's/^Copyright (c) //p' "$root/LICENSE")
License: Expat
END
}

write_licence_paragraphs() {
    printf '\nLicense: Expat\n'
    sed -n '/^Permission/,$p' "$root/LICENSE" | indent_field
    printf '\nLicense: Apache-2.0\n'
    indent_field <<<"$apache_reference"
    printf '\nLicense: Apache-2.0 with Swift-exception\n'
    indent_field <<<"$apache_reference"
    printf ' .\n'
    toolchain_licence | sed -n '/Runtime Library Exception/,$p' | sed -e 's/^## //' -e 's/ ##$//' | cat -s | indent_field
    cat <<'END'

License: GPL-3+
 On Debian systems, the complete text of the GNU General Public License,
 version 3, is in /usr/share/common-licenses/GPL-3.
END
}

# Usage: write_copyright FOLDER: writes `copyright` (in Debian's format), and the NOTICE files of packages to notices/.
write_copyright() {
    local part where notice
    list_foreign_parts >"$work/foreign-parts"
    {
        write_header
        while read -r part where; do
            [ ! -d "$scratch/checkouts/$part" ] || write_package_paragraph "$part" "$where"
        done <"$work/foreign-parts"
        write_archive_paragraphs <"$work/foreign-parts"
        write_licence_paragraphs
    } >"$1/copyright"
    mkdir -p "$1/notices"
    while read -r part where; do
        for notice in "$scratch/checkouts/$part"/NOTICE*; do
            [ ! -f "$notice" ] || install --mode=644 "$notice" "$1/notices/$part.txt"
        done
    done <"$work/foreign-parts"
}

# The complete texts, for systems that have no /usr/share/common-licenses.
write_licence_texts() {
    local common=/usr/share/common-licenses/GPL-3
    mkdir -p "$1"
    install --mode=644 "$root/LICENSE" "$1/MIT.txt"
    toolchain_licence >"$1/Apache-2.0-with-Swift-exception.txt"
    if [ -f "$common" ]; then
        install --mode=644 "$common" "$1/GPL-3.txt"
    else
        echo 'The GNU General Public License, version 3: https://www.gnu.org/licenses/gpl-3.0.txt' >"$1/GPL-3.txt"
    fi
}
