#!/usr/bin/env bash
# One batch as a Slurm job array: each task does one part of it, wherever Slurm puts it.
#
# Usage: sbatch [--array=1-N] [OPTION…] slurm-array.sh JOBFILE OUTPUT
#
# JOBFILE, its clips and OUTPUT have to be the same files on all nodes. Each task writes what became of its jobs to
# OUTPUT/part-NUMBER-of-N.jsonl. LIVEPHOTO names the program where it is not on PATH:
# sbatch --export=ALL,LIVEPHOTO=/opt/livephoto/bin/livephoto …
#
# A task that is requeued, by Slurm or by a person, goes on where it was; one that runs out of time requeues itself.
#SBATCH --job-name=livephoto
#SBATCH --array=1-6
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=04:00:00
#SBATCH --output=livephoto-%A_%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR1@60
set -euo pipefail

say() { echo "$(date +%FT%T) part $part on ${SLURMD_NODENAME:-?}: $*" >&2; }

[ $# -eq 2 ] || {
    echo "error: a job file and an output folder, please: sbatch slurm-array.sh JOBFILE OUTPUT" >&2
    exit 64
}
jobfile=$1 output=$2
part=${SLURM_ARRAY_TASK_ID:?is set by Slurm in a job array: sbatch --array=1-6 …}
try=$((${SLURM_RESTART_COUNT:-0} + 1))
most_tries=20

# Slurm sends USR1 when the time is nearly over (--signal), and TERM when the task is cancelled, preempted or requeued.
batch='' out_of_time=false
trap '[ -z "$batch" ] || kill -TERM "$batch" || true' TERM
trap 'out_of_time=true; [ -z "$batch" ] || kill -TERM "$batch" || true' USR1

say "try $try"
mkdir -p "$output"
"${LIVEPHOTO:-livephoto}" batch "$jobfile" --output "$output" --shard auto \
    --report "$output/part-$part-of-$SLURM_ARRAY_TASK_COUNT.jsonl" --progress none &
batch=$!
# A signal ends `wait`, not what it waits for.
while kill -0 "$batch" 2>/dev/null; do wait "$batch" || true; done
status=0
wait "$batch" || status=$?
say "ended with status $status"

# 75 may pass: another task may still be at work on that part.
if [ "$status" -eq 75 ] || { $out_of_time && [ "$status" -eq 143 ]; }; then
    if [ "$try" -lt "$most_tries" ]; then
        scontrol requeue "$SLURM_JOB_ID"
    else
        say "is not tried again"
    fi
fi
exit "$status"
