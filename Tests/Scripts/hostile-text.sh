#!/usr/bin/env bash
# Checks that text of strangers costs little, whatever it consists of: long runs of combining marks, flags, joiners and bytes
# that are no text in each text field of each format that livephoto reads. Each command that reads such a file must end within
# 1 s and with 200 MiB of memory. Prints the slowest and the largest runs. `Scripts/test` makes one of five runs, `Scripts/test --all`
# and this script alone make all.
#
# Usage: Tests/Scripts/hostile-text.sh [--only WORDS] [PROGRAM]
#
#   --only     runs whose field, text and command contain this, such as "flags, inspect"
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

arguments=() program=""
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help)
            show_help
            exit
            ;;
        --only)
            [ $# -ge 2 ] || misuse "$1 needs a value"
            arguments+=("$1" "$2")
            shift
            ;;
        -*) misuse "unknown argument: $1" ;;
        *) program=$1 ;;
    esac
    shift
done
find_program "$program"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=64x64:rate=15:duration=1 -c:v libx264 -pix_fmt yuv420p plain.mp4
"$program" convert plain.mp4 -o pair >/dev/null
mv pair/plain.JPG pair.JPG
mv pair/plain.MOV pair.MOV
[ -z "${LIVEPHOTO_SOME_CASES:-}" ] || arguments+=(--every 5)
python3 -B "$root/Scripts/reference/hostile_text.py" "$program" "${arguments[@]}"
