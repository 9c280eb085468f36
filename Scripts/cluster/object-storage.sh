#!/usr/bin/env bash
# Converts the clips of a bucket to Live Photos in another place of an object storage, or one part of them.
#
# Usage: object-storage.sh [OPTION…] SOURCE DESTINATION [-- OPTION-OF-CONVERT…]
#        (object-storage.sh --shard 1/2 store:clips/2026 store:live -- --preset compact)
#
#   --list FILE         only these clips: paths below SOURCE, one a line
#   --include PATTERN   only these, such as '*.{mp4,mov}', a pattern of rclone (default: the extensions of videos)
#   --shard PART        one part: 3/6, or auto or auto/6 in Slurm, Kubernetes and AWS Batch, as for `livephoto batch`
#   --jobs N            clips at a time (default: the number of cores)
#   --retry N           how often a clip is tried again after a failed transfer (2)
#
# SOURCE and DESTINATION are places of rclone: REMOTE:BUCKET/PREFIX. A clip trip/beach.mp4 becomes
#   DESTINATION/pairs/trip/beach.mp4/beach.MOV and beach.JPG
#   DESTINATION/manifests/trip/beach.mp4/KEY.json     uploaded last: a pair is complete only if it has one
# KEY consists of the clip's size, modification time and MD5 (if the storage knows it), and a digest of the options and
# the program's version. A clip with a manifest of that name is skipped; everything else is made, or made again, so the
# same command continues what was interrupted. Options that name files count by name, not by content.
#
# Results are JSON lines on stdout, one for each clip that was made or failed; messages are on stderr. Local files are
# in TMPDIR: one clip and its pair for each of --jobs. They are removed, those of a killed run by the next.
#
# Exits with 0 if all clips have pairs, 1 if some failed, 64 for wrong usage, 66 if the source cannot be listed, 69 if a
# program is missing, 74 if the destination cannot be listed, 73 or 74 if TMPDIR cannot be written, 130 or 143 if it was
# stopped. Needs rclone and jq; set LIVEPHOTO if the program is not on PATH.
set -euo pipefail && shopt -s nullglob

say() { printf '%s\n' "$*" >&2; }
# Usage: fail STATUS WORDS…
fail() { say "error: ${*:2}" && exit "$1"; }
misuse() { fail 64 "$* (see object-storage.sh --help)"; }

# The extensions of which `livephoto convert FOLDER` makes Live Photos.
videos='3g2,3gp,asf,avi,divx,dv,f4v,flv,gif,m2t,m2ts,m2v,m4v,mjpg,mkv,mov,mp4,mpe,mpeg,mpg,mts,mxf,ogm,ogv,qt,rm,rmvb'
videos+=',ts,vob,webm,wmv'

# Sets `part` and `parts`.
read_shard() {
    [[ $1 =~ ^(auto|(auto|[1-9][0-9]{0,6})/[1-9][0-9]{0,6})$ ]] || misuse "--shard takes 3/6 or auto, not $1"
    parts=${1#auto} parts=${parts#*/}
    if [[ $1 != auto* ]]; then
        part=${1%/*}
    elif [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
        part=$(((SLURM_ARRAY_TASK_ID - ${SLURM_ARRAY_TASK_MIN:-0}) / ${SLURM_ARRAY_TASK_STEP:-1} + 1))
        : "${parts:=${SLURM_ARRAY_TASK_COUNT:-}}"
    elif [ -n "${AWS_BATCH_JOB_ARRAY_INDEX:-}" ]; then
        part=$((AWS_BATCH_JOB_ARRAY_INDEX + 1)) parts=${parts:-${AWS_BATCH_JOB_ARRAY_SIZE:-}}
    else
        [ -n "${JOB_COMPLETION_INDEX:-}" ] || misuse "no cluster says which part this is; write --shard 3/6"
        part=$((JOB_COMPLETION_INDEX + 1))
    fi
    [ -n "$parts" ] || misuse "the cluster does not say how many parts there are; write --shard auto/6"
    [ "$part" -le "$parts" ] || misuse "there is no part $part of $parts"
}

# Prints time, size, MD5 and path of files, separated by tabs.
list_files() { TZ=UTC rclone lsf --files-only --use-server-modtime --hash MD5 --format tshp --separator $'\t' "$@"; }

# Reads paths or the lines of `list_files` and prints those of this part; a path decides by itself.
select_part() {
    LC_ALL=C awk -F '\t' -v part="$part" -v parts="$parts" '
        BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
        {
            hash = 0
            for (i = 1; i <= length($NF); i++) hash = (hash * 257 + code[substr($NF, i, 1)]) % 1000000007
            if (int(hash / 7) % parts == part - 1) print
        }'
}

# Writes `todo`: time, size, MD5, key, keys of old manifests, and path of each clip of this part without its manifest.
list_clips() {
    local arguments=(--recursive --ignore-case --include "$include") status=0
    if [ -n "$list" ]; then
        grep . "$list" | select_part >"$work/wanted" || true
        arguments=(--recursive --files-from-raw "$work/wanted")
    fi
    list_files "${arguments[@]}" "$source" >"$work/listed" || fail 66 "rclone cannot list $source, as it says above."
    local usable='^[^\t]+\t\d+\t\w*\t[^\t]+$'
    select_part <"$work/listed" | grep -P "$usable" >"$work/clips" || true
    grep -vP "$usable" "$work/listed" | select_part >"$work/unusable" || true
    [ -z "$list" ] || cut -f 4 "$work/clips" | grep -vxFf - "$work/wanted" >>"$work/unusable" || true
    rclone lsf --recursive --files-only "$destination/manifests" >"$work/manifests" 2>"$work/messages" || status=$?
    # 3: there is no such folder.
    [[ $status =~ ^[03]$ ]] || fail 74 "rclone cannot list $destination/manifests: $(tail -n 1 "$work/messages")"
    LC_ALL=C awk -F '\t' -v OFS='\t' -v command="$digest" '
        FILENAME == ARGV[1] {
            match($0, /\/[^\/]*$/)
            path = substr($0, 1, RSTART - 1)
            keys[path] = keys[path] " " substr($0, RSTART + 1, RLENGTH - length("/.json"))
            next
        }
        {
            # Empty fields would vanish where the lines are read.
            if ($3 == "") $3 = "none"
            time = $1; gsub(/[-:]/, "", time); sub(/ /, "T", time)
            key = $2 "-" time "Z-" $3 "-" command
            if (!index(keys[$4] " ", " " key " ")) print $1, $2, $3, key, keys[$4] == "" ? "none" : keys[$4], $4
        }' "$work/manifests" "$work/clips" >"$work/todo"
}

# Prints the result of a clip. Usage: report PATH STATUS [WORDS]
report() {
    [ "$2" -eq 0 ] || say "error: $1: $3 (status $2)"
    jq --null-input --compact-output --arg path "$1" --argjson exitCode "$2" --arg error "${3:-}" '{$path} +
        if $exitCode == 0 then {status: "done"} else {status: "failed", $exitCode, $error} end'
}

# Usage: write_manifest FILE…
write_manifest() {
    local file
    for file in "$@"; do
        printf '%s\t%s\t%s\n' "$(stat --format %s "$file")" "$(sha256sum <"$file" | cut -c 1-64)" "${file##*/}"
    done | jq --raw-input --null-input --arg program "$program_version" --arg path "$path" --argjson bytes "$size" \
        --arg modified "${time/ /T}Z" --arg md5 "$md5" '
            {version: 1, $program, source: {$path, $bytes, $modified, $md5}, options: $ARGS.positional,
             files: [inputs / "\t" | {name: .[2], bytes: (.[0] | tonumber), sha256: .[1]}]}' --args -- "${options[@]}"
}

changed='it has changed since it was listed; run this again'
# Makes and uploads the pair of a clip, once; sets `error`. Returns 75 if it should be tried again.
attempt() {
    local name=${path##*/} id now file states=0 to=$destination/pairs/$path
    name=${name%.*} name=${name//[\{\}]/_} # braces would be placeholders
    rm -rf "$folder" && mkdir "$folder" || return 73
    # Standard input has no name that an identifier could follow from.
    id=$(printf %s "$path $key" | sha256sum)
    id=${id:0:8}-${id:8:4}-8${id:13:3}-8${id:17:3}-${id:20:12}
    rclone cat "$source/$path" 2>"$folder/transfer" |
        "$livephoto" convert - --output "$folder/pair" --name="${name:-clip}" --id "${id^^}" --quiet "${options[@]}" \
            >/dev/null 2>"$folder/conversion" || states=("${PIPESTATUS[@]}")
    # 141: rclone was ended by the end of the conversion.
    error="reading it failed: $(tail -n 1 "$folder/transfer")"
    [[ ${states[0]} -eq 0 || (${states[0]} -eq 141 && ${states[1]} -ne 0) ]] || return 75
    error=$(sed -n 's/^error: //p' "$folder/conversion" | head -n 1)
    [ "${states[1]:-0}" -eq 0 ] || return "${states[1]}"
    error=$changed
    now=$(list_files "$source/$path" 2>/dev/null) || now=''
    [ "${now%$'\t'*}" = "$time"$'\t'"$size"$'\t'"${md5/#none/}" ] || return 75
    error='uploading failed'
    # First of all the old manifest: without one, an incomplete pair does not count.
    for file in ${old#none}; do
        rclone deletefile "$destination/manifests/$path/$file.json" 2>"$folder/transfer" || return 75
    done
    # Then the old pair, also what an interrupted run has left of one. 3: there is none.
    rclone delete "$to" 2>"$folder/transfer" || [ $? -eq 3 ] || return 75
    set -- "$folder"/pair/*.MOV "$folder"/pair/*.{JPG,HEIC}
    write_manifest "$@" >"$folder/manifest" || return 74
    for file in "$@"; do rclone copyto "$file" "$to/${file##*/}" || return 75; done 2>"$folder/transfer"
    rclone copyto "$folder/manifest" "$destination/manifests/$path/$key.json" 2>"$folder/transfer" || return 75
}

# With the variables of a clip; its status is that of the last try.
convert() {
    local try=0 status error=''
    until status=0 && { attempt || status=$?; } &&
        [[ $status -ne 75 || $error == "$changed" || $((try++)) -ge $retry ]]; do sleep "$try"; done
    [ "$error" != 'uploading failed' ] || error+=": $(tail -n 1 "$folder/transfer" 2>/dev/null)"
    rm -rf "$folder"
    report "$path" "$status" "$error"
    return "$status"
}

# Waits until fewer than this number of clips are being made. What would fail for all clips ends the run.
wait_for() {
    local status
    while [ "$running" -ge "$1" ]; do
        status=0 && wait -n || status=$?
        [ -z "$stopped" ] || end "$stopped"
        running=$((running - 1))
        case $status in
            0) made=$((made + 1)) ;;
            64 | 69 | 73 | 74) end "$status" ;;
            *) failed=$((failed + 1)) ;;
        esac
    done
}

# Stops the clips that are being made, each of which is a group of processes.
end() {
    local process
    for process in $(jobs -pr); do kill -TERM -- "-$process" 2>/dev/null || true; done
    { wait || true; } 2>/dev/null
    exit "$1"
}

list='' include="*.{$videos}" shard=1/1 jobs=$(nproc) retry=2
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help)
            exec awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"
            ;;
        --list | --include | --shard | --jobs | --retry)
            [ -n "${2:-}" ] || misuse "$1 needs a value"
            printf -v "${1#--}" %s "$2"
            shift
            ;;
        -*) misuse "unknown argument: $1" ;;
        *) break ;;
    esac
    shift
done
[[ $jobs =~ ^[1-9][0-9]{0,3}$ && $retry =~ ^[0-9]{1,3}$ ]] || misuse "--jobs and --retry need numbers"
read_shard "$shard"
[ $# -ge 2 ] || misuse "a source and a destination, please"
source=${1%/} destination=${2%/}
shift 2
[ "${1:---}" = -- ] || misuse "options of convert come behind --: $1"
options=("${@:2}")
[[ ! " ${options[*]} " =~ \ (-o|--output|--name|--id|--count|-n|--dry-run|--json)[\ =] ]] ||
    misuse "${BASH_REMATCH[1]} is not possible here"
[[ $destination/ != "$source"/* ]] || misuse "the destination is in the source; its movies would be clips"
[ -z "$list" ] || [ -r "$list" ] || fail 66 "the list $list cannot be read."
livephoto=${LIVEPHOTO:-livephoto}
for program in rclone jq "$livephoto"; do
    command -v "$program" >/dev/null || fail 69 "there is no $program; install it."
done
program_version=$("$livephoto" --version)
digest=$(printf '%s\0' "$program_version" "${options[@]}" | sha256sum | cut -c 1-12)

# The lock of a run's folder ends with its last process; that of TMPDIR is for this moment.
temporary=${TMPDIR:-/tmp}
exec 8<"$temporary" || fail 73 "the folder $temporary cannot be read."
flock 8
for folder in "$temporary"/livephoto-storage.*; do
    [[ -L $folder || ! -O $folder ]] || flock --nonblock "$folder/.lock" rm -rf "$folder" 2>/dev/null || true
done
work=$(mktemp -d "$temporary/livephoto-storage.XXXXXX") || fail 73 "no folder can be made in $temporary."
exec 9>"$work/.lock"
flock 9
exec 8<&-
trap 'rm -rf "$work"' EXIT
stopped='' number=0 running=0 made=0 failed=0
trap 'stopped=143' TERM && trap 'stopped=130' INT
# Each clip becomes a group of processes.
set -m

list_clips
kept=$(($(wc -l <"$work/clips") - $(wc -l <"$work/todo")))
while IFS= read -r path; do
    report "$path" 66 "it is not in $source, or its name has a tab or a line feed" && : $((failed += 1))
done <"$work/unusable"
while IFS=$'\t' read -r time size md5 key old path; do
    folder=$work/clip-$((number += 1))
    convert </dev/null &
    running=$((running + 1))
    wait_for "$jobs"
    [ -z "$stopped" ] || end "$stopped"
done <"$work/todo"
wait_for 1
say "part $part of $parts: made $made, skipped $kept, failed $failed"
[ "$failed" -eq 0 ] || exit 1
