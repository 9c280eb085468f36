#!/usr/bin/env bash
# Follows every advice that livephoto gives: makes files with each fault, takes the command that the error, note or rule
# names, and runs it with these files. It must succeed, and the fault must be gone.
#
# Usage: Tests/Scripts/advice.sh [PROGRAM]
#
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

find_program "${1:-}"
exec python3 -B "$root/Tests/Scripts/advice.py" "$program" "$root/Sources"
