#!/usr/bin/env bash
# Tests the scripts of this folder on this machine: 60 small clips in 6 parts, some of which are interrupted and run
# again. At the end, each of the 60 pairs must have been made exactly once and pass verification.
#
# Usage: Scripts/cluster/trial.sh slurm|parallel [FOLDER]
#
#   slurm     slurm-array.sh, in a local Slurm with two nodes, both on this machine. Requires root.
#   parallel  gnu-parallel.sh
#
# FOLDER (new) keeps the clips, pairs and logs; without it, a temporary folder is used. On Debian 12, installs slurm-wlm
# and munge, or parallel, and ffmpeg and jq if missing. Stops everything it has started and does not affect another
# Slurm. LIVEPHOTO is the program to test; without it, one is built.
set -euo pipefail
# shellcheck source=Scripts/shared.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../shared.sh"
clips=60 parts=6

install_missing() {
    local package packages=()
    for package in "$@"; do
        dpkg-query --show "$package" >/dev/null 2>&1 || packages+=("$package")
    done
    [ "${#packages[@]}" -gt 0 ] || return 0
    say "Installing: ${packages[*]}"
    quietly "$work/apt.log" env DEBIAN_FRONTEND=noninteractive \
        apt-get --quiet --yes install --no-install-recommends "${packages[@]}"
}

# Repeats a command until it succeeds, for the given number of seconds.
wait_until() {
    local seconds=$1 end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || fail "still failing after $seconds s: $*"
        sleep 0.1
    done
}

make_clips() {
    say "Making $clips clips"
    mkdir clips
    ffmpeg -nostdin -loglevel error -f lavfi -i "testsrc2=size=640x360:rate=30:duration=$((clips * 2))" \
        -c:v libx264 -preset ultrafast -pix_fmt yuv420p -force_key_frames 'expr:gte(t,n_forced*2)' \
        -f segment -segment_time 2 -reset_timestamps 1 clips/clip-%02d.mp4
    printf 'version: 1\njobs:\n  - input: clips/*.mp4\n' >jobs.yaml
}

# Succeeds if a part has made two pairs and is working on another.
is_on_its_way() {
    local journal=pairs/.livephoto-batch/journal-$1-of-$parts.jsonl
    [ -f "$journal" ] && jq -es 'map(.status) | last == "started" and (map(select(. == "done")) | length >= 2)' \
        "$journal" >/dev/null
}

check_pairs() {
    local again journals=(pairs/.livephoto-batch/journal-*-of-"$parts".jsonl)
    cat pairs/part-*-of-$parts.jsonl | jq -es "length == $clips and (unique_by(.id) | length == $clips) and
        all(.status == \"done\")" >/dev/null || fail "the reports do not hold all $clips jobs as done, once each"
    jq -es 'map(select(.status == "done")) | group_by(.id) | all(length == 1)' "${journals[@]}" >/dev/null ||
        fail "a pair was made twice"
    "$livephoto" verify pairs --quiet || fail "livephoto verify finds a pair that is not good"
    [ "$(find pairs -name '*.MOV' | wc -l)" -eq "$clips" ] || fail "there are not $clips movies"
    [ -z "$(find pairs -name '.livephoto-*' ! -path pairs/.livephoto-batch)" ] || fail "hidden leftovers remain"
    again=$(jq -s 'map(select(.status == "started")) | group_by(.id) | map(select(length > 1)) | length' "${journals[@]}")
    say "All $clips jobs are done, once each, and all pairs are good (broken off and begun again: $again)."
}

try_parallel() {
    install_missing parallel ffmpeg jq
    make_clips
    local command=("$cluster/gnu-parallel.sh" jobs.yaml pairs "$parts" --jobs 2) status=0 part
    say "Running ${command[*]}"
    LIVEPHOTO=$livephoto "${command[@]}" 2>first.log &
    started+=($!)
    wait_until 300 is_on_its_way 2
    part=$(pgrep -f -x "$livephoto batch jobs.yaml --output pairs --shard 2/$parts .*" | head -n 1) ||
        fail "part 2 was done before it could be broken off"
    say "Killing part 2 (process $part)"
    kill -KILL "$part"
    wait "${started[-1]}" || status=$?
    [ "$status" -eq 1 ] || fail "gnu-parallel.sh should have ended with 1, as one part failed, but did with $status"
    cat "pairs/parts-of-$parts.log" >&2
    say "The same command again"
    LIVEPHOTO=$livephoto "${command[@]}" 2>second.log || fail "gnu-parallel.sh failed: see second.log"
    cat "pairs/parts-of-$parts.log" second.log >&2
    check_pairs
}

write_slurm_conf() {
    cat >"$SLURM_CONF" <<END
ClusterName=trial
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
SlurmctldPort=36817
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/%n
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/%n.pid
SlurmctldLogFile=$work/slurm/slurmctld.log
SlurmdLogFile=$work/slurm/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=1
ReturnToService=2
KillWait=10
NodeName=node1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=36818 CPUs=2 RealMemory=4096
NodeName=node2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=36819 CPUs=2 RealMemory=4096
PartitionName=trial Nodes=ALL Default=YES State=UP
END
}

start_slurm() {
    say "Starting a Slurm of two nodes"
    mkdir -p slurm/state slurm/node1 slurm/node2
    write_slurm_conf
    dd if=/dev/urandom of=munge.key bs=1024 count=1 status=none
    chmod 600 munge.key
    munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" --seed-file="$work/munge.seed" \
        --pid-file="$work/munge.pid" --log-file="$work/munge.log" >munged.out 2>&1 &
    started+=($!)
    wait_until 30 test -S munge.socket
    slurmctld -D >slurm/slurmctld.out 2>&1 &
    started+=($!)
    local node
    for node in node1 node2; do
        slurmd -D -N "$node" >"slurm/$node.out" 2>&1 &
        started+=($!)
    done
    wait_until 60 nodes_are_idle
}

nodes_are_idle() { [ "$(sinfo --noheader --Node --format=%t 2>/dev/null | sort | uniq -c | xargs)" = '2 idle' ]; }
has_gone() { ! squeue --noheader --job "$1" 2>/dev/null | grep -q .; }

try_slurm() {
    [ "$(id -u)" -eq 0 ] || fail "a Slurm of its own needs root"
    install_missing slurm-wlm munge ffmpeg jq
    make_clips
    export SLURM_CONF=$work/slurm.conf
    start_slurm
    local array part
    array=$(sbatch --parsable --array=1-$parts --export="ALL,LIVEPHOTO=$livephoto" "$cluster/slurm-array.sh" jobs.yaml pairs)
    say "Array $array: $parts parts"
    wait_until 300 is_on_its_way 1
    say "Requeuing part 1, as a person or a preemption does"
    scontrol requeue "${array}_1"
    wait_until 300 is_on_its_way 3
    say "Telling part 3 that its time is nearly over"
    # It tries for long to reach a task that has requeued itself in the meantime.
    timeout 10 scancel --batch --signal=USR1 "${array}_3" || true
    # Slurm delays a requeued task by two minutes.
    for part in 1 3; do wait_until 60 scontrol update JobId="${array}_$part" StartTime=now; done
    wait_until 900 has_gone "$array"
    tail -n +1 "livephoto-${array}"_[13].log >&2
    for part in 1 3; do
        grep -q "part $part on node.: try 2" "livephoto-${array}_$part.log" || fail "part $part was not done again"
    done
    check_pairs
}

end_all() {
    local process
    # Stop in reverse order: the nodes before munge.
    for ((i = ${#started[@]} - 1; i >= 0; i--)); do
        process=${started[i]}
        kill -TERM "$process" 2>/dev/null || continue
        for _ in {1..100}; do
            kill -0 "$process" 2>/dev/null || break
            sleep 0.1
        done
        kill -KILL "$process" 2>/dev/null || true
    done
    cd "$root"
    $keep || rm -rf "$work"
}

case ${1:-} in
    slurm | parallel) ;;
    -h | --help)
        show_help
        exit
        ;;
    *) fail "write slurm or parallel (see trial.sh --help)" ;;
esac
if [ $# -gt 1 ]; then
    mkdir "$2"
    keep=true work=$(cd "$2" && pwd)
else
    keep=false work=$(mktemp -d)
fi
started=()
trap end_all EXIT
cluster=$root/Scripts/cluster
find_program "${LIVEPHOTO:-}"
livephoto=$program
cd "$work"
"try_$1"
say "It took $SECONDS s."
