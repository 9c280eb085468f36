#!/usr/bin/env bash
# Runs a batch as a Slurm job array, one part in each task.
#
# Usage: sbatch [--array=1-N] [OPTION…] slurm-array.sh JOBFILE OUTPUT
#
# JOBFILE, its clips and OUTPUT must be available under the same paths on all nodes. Each task writes the results of its
# jobs to OUTPUT/part-NUMBER-of-N.jsonl. Set LIVEPHOTO if the program is not on PATH:
# sbatch --export=ALL,LIVEPHOTO=/opt/livephoto/bin/livephoto …
#
# A requeued task continues where it was stopped. A task that runs out of time requeues itself.
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

# Slurm sends USR1 shortly before the time limit (--signal), and TERM when a task is cancelled, preempted or requeued.
batch='' out_of_time=false
trap '[ -z "$batch" ] || kill -TERM "$batch" || true' TERM
trap 'out_of_time=true; [ -z "$batch" ] || kill -TERM "$batch" || true' USR1

say "try $try"
mkdir -p "$output"
"${LIVEPHOTO:-livephoto}" batch "$jobfile" --output "$output" --shard auto \
    --report "$output/part-$part-of-$SLURM_ARRAY_TASK_COUNT.jsonl" --progress none &
batch=$!
# A signal interrupts `wait`, not the process that it waits for.
while kill -0 "$batch" 2>/dev/null; do wait "$batch" || true; done
status=0
wait "$batch" || status=$?
say "ended with status $status"

# 75 may be temporary: another task may still be working on that part.
if [ "$status" -eq 75 ] || { $out_of_time && [ "$status" -eq 143 ]; }; then
    if [ "$try" -lt "$most_tries" ]; then
        scontrol requeue "$SLURM_JOB_ID"
    else
        say "is not tried again"
    fi
fi
exit "$status"
