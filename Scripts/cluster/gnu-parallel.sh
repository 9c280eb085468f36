#!/usr/bin/env bash
# Runs a batch in parts with GNU parallel, on this machine or on others.
#
# Usage: gnu-parallel.sh JOBFILE OUTPUT PARTS [OPTION-OF-PARALLEL…]
#
# Running the same command again continues the parts that failed, were stopped or were not started.
# OUTPUT/parts-of-N.log contains the exit status of each part, and OUTPUT/part-NUMBER-of-N.jsonl the results of its
# jobs. Set LIVEPHOTO if the program is not on PATH. One part runs at a time, because each uses all cores; --jobs 2, for
# example, runs two.
set -euo pipefail

[ $# -ge 3 ] || {
    echo "error: a job file, an output folder and a number of parts, please (the head of gnu-parallel.sh says more)" >&2
    exit 64
}
jobfile=$1 output=$2 parts=$3
shift 3
mkdir -p "$output"

# Gives a stopped part time to clean up; by default, parallel kills it after a third of a second.
seq "$parts" |
    parallel --quote --joblog "$output/parts-of-$parts.log" --resume-failed --termseq TERM,5000,KILL,100 --jobs 1 "$@" \
        "${LIVEPHOTO:-livephoto}" batch "$jobfile" --output "$output" --shard "{}/$parts" \
        --report "$output/part-{}-of-$parts.jsonl" --progress none
