#!/usr/bin/env bash
# One batch in parts, with GNU parallel: on this machine, or on those that it is told of.
#
# Usage: gnu-parallel.sh JOBFILE OUTPUT PARTS [OPTION-OF-PARALLEL…]
#
# The same command again does the parts that failed, that were stopped, or that were not begun. OUTPUT/parts-of-N.log
# says how each part ended, OUTPUT/part-NUMBER-of-N.jsonl what became of its jobs. LIVEPHOTO names the program where it
# is not on PATH. One part is done at a time, as each uses all cores; --jobs 2, as an example, is for two at a time.
set -euo pipefail

[ $# -ge 3 ] || {
    echo "error: a job file, an output folder and a number of parts, please (the head of gnu-parallel.sh says more)" >&2
    exit 64
}
jobfile=$1 output=$2 parts=$3
shift 3
mkdir -p "$output"

# A part that is ended gets the time to clean up behind it, where parallel would kill it after a third of a second.
seq "$parts" |
    parallel --quote --joblog "$output/parts-of-$parts.log" --resume-failed --termseq TERM,5000,KILL,100 --jobs 1 "$@" \
        "${LIVEPHOTO:-livephoto}" batch "$jobfile" --output "$output" --shard "{}/$parts" \
        --report "$output/part-{}-of-$parts.jsonl" --progress none
