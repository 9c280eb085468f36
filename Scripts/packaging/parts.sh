# Sourced by Scripts/package: lists what the linker put into the programs, by its maps.
# shellcheck shell=bash
# shellcheck disable=SC2154 # scratch, binaries and work come from the scripts that source this

# Prints `BYTES FILE` for each object file and archive of a product.
list_inputs() {
    awk '
        function from_hexadecimal(text, value, i) {
            for (i = 1; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
            return value
        }
        # Address, load address, size, alignment, and FILE:(SECTION) or ARCHIVE(MEMBER):(SECTION). What has no address,
        # such as the symbols, is stripped.
        /^ *[0-9a-f]+ +[0-9a-f]+ +[0-9a-f]+ +[0-9]+ +.*:\(/ && $1 != "0" {
            size = from_hexadecimal($3)
            name = $0
            sub(/^ *[0-9a-f]+ +[0-9a-f]+ +[0-9a-f]+ +[0-9]+ +/, "", name)
            sub(/:\([^()]*\)$/, "", name)
            sub(/\([^()]*\)$/, "", name)
            sizes[name] += size
        }
        END { for (name in sizes) print sizes[name], name }' "$scratch/$1.map"
}

# The package that a module in the build folder comes from, by the paths of its sources: SwiftPM lists them for modules in
# Swift, the compiler writes them for those in C.
package_of_module() {
    local folder=$1 lists found
    lists=("$folder/sources")
    [ -f "${lists[0]}" ] || mapfile -d '' lists < <(find "$folder" -name '*.d' -print0)
    found=$(cat "${lists[@]}" | grep -o '/checkouts/[^/]*/Sources/' | sort -u | head -n 1) || true
    found=${found%/Sources/}
    if [ -n "$found" ]; then printf '%s\n' "${found##*/}"; else echo livephoto; fi
}

# Prints `BYTES PART` for each part of a product, the largest first. A part is this repository, a package, an archive of
# the toolchain, `tables` (what the linker adds: relocations, unwind tables), or `system` (start files of C programs).
list_parts() {
    local bytes file module part
    declare -A package=() total=()
    while read -r bytes file; do
        case $file in
            "$binaries"/*.build/*)
                module=${file#"$binaries"/}
                module=${module%%/*}
                : "${package[$module]:=$(package_of_module "$binaries/$module")}"
                part=${package[$module]}
                ;;
            */swift_static/*.a) part=$(basename "$file") ;;
            */swiftrt.o) part=libswiftCore.a ;;
            '<internal>') part=tables ;;
            *) part=system ;;
        esac
        total[$part]=$((${total[$part]:-0} + bytes))
    done < <(list_inputs "$1")
    for part in "${!total[@]}"; do
        printf '%s %s\n' "${total[$part]}" "$part"
    done | sort -k1,1nr -k2
}

show_sizes() {
    local bytes part
    strip_program "$binaries/$1" "$work/stripped"
    printf '%12d  %s\n' "$(stat -c %s "$work/stripped")" "$1"
    list_parts "$1" | while read -r bytes part; do
        printf '%12d    %s\n' "$bytes" "$part"
    done
}
