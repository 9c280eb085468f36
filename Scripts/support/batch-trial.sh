# Sourced by the trials of batches in parts: small clips with a job file, and the check that each pair was made once.
# shellcheck shell=bash
# shellcheck disable=SC2154 # parts comes from the scripts that source this

# How many clips.
clips=60

# Repeats a command until it succeeds, for the given number of seconds.
wait_until() {
    local seconds=$1 end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || fail "still failing after $seconds s: $*"
        sleep 0.1
    done
}

# Makes the folder clips and the job file jobs.yaml in the current folder.
make_clips() {
    say "Making $clips clips"
    mkdir clips
    ffmpeg -nostdin -loglevel error -f lavfi -i "testsrc2=size=640x360:rate=30:duration=$((clips * 2))" \
        -c:v libx264 -preset ultrafast -pix_fmt yuv420p -force_key_frames 'expr:gte(t,n_forced*2)' \
        -f segment -segment_time 2 -reset_timestamps 1 clips/clip-%02d.mp4
    printf 'version: 1\njobs:\n  - input: clips/*.mp4\n' >jobs.yaml
}

# Checks the folder pairs. Usage: check_pairs COMMAND…     (what verifies all pairs)
check_pairs() {
    local again journals=(pairs/.livephoto-batch/journal-*-of-"$parts".jsonl)
    cat pairs/part-*-of-"$parts".jsonl | jq -es "length == $clips and (unique_by(.id) | length == $clips) and
        all(.status == \"done\")" >/dev/null || fail "the reports do not hold all $clips jobs as done, once each"
    jq -es 'map(select(.status == "done")) | group_by(.id) | all(length == 1)' "${journals[@]}" >/dev/null ||
        fail "a pair was made twice"
    "$@" || fail "livephoto verify finds a pair that is not good"
    [ "$(find pairs -name '*.MOV' | wc -l)" -eq "$clips" ] || fail "there are not $clips movies"
    [ -z "$(find pairs -name '.livephoto-*' ! -path pairs/.livephoto-batch)" ] || fail "hidden leftovers remain"
    again=$(jq -s 'map(select(.status == "started")) | group_by(.id) | map(select(length > 1)) | length' \
        "${journals[@]}")
    say "All $clips jobs are done, once each, and all pairs are good (broken off and begun again: $again)."
}
