# Sourced by the scripts: the path of the repository, messages, and finding Swift.
# shellcheck shell=bash

# shellcheck disable=SC2034 # used by the scripts that source this
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)

# Prints a message to stderr; stdout is for results.
say() { printf '%s\n' "$*" >&2; }

fail() {
    say "error: $*"
    exit 1
}

# Fails because of wrong arguments, and names the help.
misuse() {
    local name
    name=$(readlink -f "$0")
    name=${name#"$root/"}
    fail "$* (see ${name/#"Scripts/trials/"/"Scripts/trial "} --help)"
}

# Fails if a program is missing. Usage: require PROGRAM [PACKAGE]
require() { command -v "$1" >/dev/null || fail "there is no $1; install it with: apt-get install ${2:-$1}"; }

# Prints the help: the comment at the head of the calling script.
show_help() { awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"; }

# Builds everything, tests too, with warnings as errors; optimized, unless debug is asked for. Scripts/check, Scripts/test and
# Scripts/documentation share this build. The current folder is the package.
# Usage: build_everything LOG [CONFIGURATION]
build_everything() { WARNINGS_AS_ERRORS=1 quietly "$1" swift build --configuration "${2:-release}" --build-tests; }

# Sets `module_options`, with which the compiler finds the modules of the last optimized build and the C modules that they
# import. The current folder is the package.
find_modules() {
    module_options=(-I .build/release/Modules)
    local map
    while IFS= read -r map; do
        module_options+=(-I "$(dirname "$map")")
    done < <(
        find Sources .build/checkouts/ -name module.modulemap -not -path '*/Tests/*'
        find .build/release/ -maxdepth 2 -path '*.build/module.modulemap'
    )
}

# Adds `swift` to PATH if it is installed in a usual place that is not on PATH.
find_swift() {
    command -v swift >/dev/null && return
    local folder
    for folder in /opt/swift*/usr/bin /usr/local/swift*/usr/bin /usr/share/swift*/usr/bin /usr/libexec/swift/*/bin \
        "${SWIFTLY_BIN_DIR:-${HOME:-}/.local/share/swiftly/bin}"; do
        if [ -x "$folder/swift" ]; then
            PATH=$folder:$PATH
            return
        fi
    done
    fail "there is no swift on PATH; install Swift 6.2 or newer (https://www.swift.org/install) and run this again."
}

# Runs git on this repository, which often belongs to another user in a container. Sources without a repository of their
# own do not count as part of one around them.
repository_git() { GIT_CEILING_DIRECTORIES=$(dirname "$root") git -c safe.directory='*' -C "$root" "$@"; }

# Clones the last commit into a new folder. The git that a clone starts in the original ignores -c.
clone_repository() {
    repository_git clone --quiet --upload-pack "git -c safe.directory='*' upload-pack" "$root" "$(readlink -m "$1")"
}

# Exports `LIVEPHOTO_COMMIT`, unless it is set: the commit that `livephoto --version` names. Empty outside a repository.
set_commit() {
    : "${LIVEPHOTO_COMMIT=$(repository_git describe --always --abbrev=7 --exclude '*' --dirty=-modified 2>/dev/null)}"
    export LIVEPHOTO_COMMIT
}

# Sets `program` to the path of livephoto: of the given program, or that of LIVEPHOTO; without both, builds an optimized one.
# Usage: find_program [PROGRAM]
find_program() {
    local named=${1:-${LIVEPHOTO:-}}
    program=${named:-$root/.build/programs/release/livephoto}
    [ -n "$named" ] || LIVEPHOTO_CONFIGURATION=release "$root/Scripts/livephoto" --version >/dev/null
    program=$(command -v "$program") || fail "$named is no program."
    program=$(readlink -f "$program")
}

# Reads the options of a trial, each of which has a value: sets `program` to that of --program, and `arguments` to the others,
# for the Python program that does the work; prints the help if asked.
# Usage: read_options 'OPTION…' "$@"
read_options() {
    local known=" --program $1 "
    program='' arguments=()
    shift
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help)
                show_help
                exit
                ;;
        esac
        [[ $1 == --* && $known == *" $1 "* ]] || misuse "unknown argument: $1"
        [ $# -ge 2 ] || misuse "$1 needs a value"
        if [ "$1" = --program ]; then program=$2; else arguments+=("$1" "$2"); fi
        shift 2
    done
}

# Starts a test of the program: prints the help if asked, and sets `work`, a folder that is removed at the end, and
# `program`.
# Usage: start_test "$@"     ([PROGRAM])
start_test() {
    case ${1:-} in
        -h | --help)
            show_help
            exit
            ;;
    esac
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    find_program "${1:-}"
}

# Runs a command without root's rights, as for most users, also where everything runs as root.
# Usage: without_rights COMMAND…
without_rights() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --bounding-set=-all --inh-caps=-all "$@"
    else
        "$@"
    fi
}

# Runs a command without showing its output. If it fails, the output except progress lines goes to stderr.
# Usage: quietly LOG COMMAND…
quietly() {
    local log=$1 status=0
    shift
    "$@" >"$log" 2>&1 </dev/null || status=$?
    [ "$status" -eq 0 ] || show_failure "$log"
    return "$status"
}

# What swift build and apt print about their progress. Other lines, such as warnings of the linker, matter only after a failure.
progress_lines='^(\[[0-9]+/[0-9]+\]|(Get|Hit|Ign):[0-9]+|\(Reading|Selecting|Preparing|Unpacking|Setting up|Processing) '

show_failure() {
    grep -vE "$progress_lines" "$1" >&2 || true
}

# Like `quietly`, for commands that take long: shows the last line about progress on a terminal, and one every ten seconds
# otherwise.
# Usage: visibly LOG COMMAND…
visibly() {
    local log=$1 status=0
    shift
    "$@" 2>&1 </dev/null | show_progress "$log" || status=$?
    [ "$status" -eq 0 ] || show_failure "$log"
    return "$status"
}

show_progress() {
    local line width shown=$SECONDS is_terminal=false
    if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
        is_terminal=true
        width=$(stty size <&2 2>/dev/null | cut -d ' ' -f 2) || width=''
        [[ $width =~ ^[1-9][0-9]+$ ]] || width=80
    fi
    while IFS= read -r line || [ -n "$line" ]; do
        printf '%s\n' "$line"
        line=${line%$'\r'}
        [[ $line =~ $progress_lines ]] || continue
        if $is_terminal; then
            printf '\r\033[K  %s' "${line:0:width - 3}" >&2
        elif ((SECONDS - shown >= 10)); then
            say "  $line"
            shown=$SECONDS
        fi
    done >"$1"
    ! $is_terminal || printf '\r\033[K' >&2
}
