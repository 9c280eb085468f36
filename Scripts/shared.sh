# Sourced by the scripts of this folder: where the repository is, how they speak, where Swift is.
# shellcheck shell=bash

# shellcheck disable=SC2034 # for who sources this
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

# To people, on stderr: stdout belongs to results.
say() { printf '%s\n' "$*" >&2; }

fail() {
    say "error: $*"
    exit 1
}

# Prints the comment at the head of the calling script, its help.
show_help() { awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"; }

# Puts `swift` on PATH if it lies at one of the usual places but not there.
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

# Runs a command without showing what it prints, unless it fails: then all of it, save progress, goes to stderr.
# Usage: quietly LOG COMMAND…
quietly() {
    local log=$1 status=0
    shift
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -ne 0 ]; then
        grep -vE '^\[[0-9]+/[0-9]+\] ' "$log" >&2 || true
    fi
    return "$status"
}
