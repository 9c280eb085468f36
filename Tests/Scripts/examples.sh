#!/usr/bin/env bash
# Runs every `livephoto` command in the code blocks of README.md and the pages of Documentation, in order, each
# document in a folder that holds only the clips, photos and pairs that it names. A command must succeed unless the comment behind
# it names another exit status: `# … (status 1 if any)`. HOME is a temporary folder with Camera (photos and movies), Clips,
# Phone (motion photos) and Pictures (Live Photos).
#
# Usage: Tests/Scripts/examples.sh [PROGRAM]
#
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

start_test "$@"
PATH=${program%/*}:$PATH
unset XDG_CONFIG_HOME LIVEPHOTO_SANDBOX
export HOME=$work/home

# The commands of a document: line number, tab, command with its comment.
commands() {
    awk '/^```/ { inside = !inside; next } inside && /(^|[|] )livephoto / { print FNR "\t" $0 }' "$1"
}

# What all samples are made from: a clip of six seconds, one of an hour and a half, and a photo with its movie.
make_models() {
    local encode=(-c:v libx264 -preset ultrafast -pix_fmt yuv420p)
    ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=320x180:rate=30:duration=6 -f lavfi -i sine=duration=6 \
        "${encode[@]}" -c:a aac clip.mp4
    ffmpeg -v error -nostdin -i clip.mp4 -c copy clip.mov
    ffmpeg -v error -nostdin -i clip.mp4 -c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis clip.webm
    ffmpeg -v error -nostdin -f lavfi -i testsrc=size=64x36:rate=1:duration=5410 "${encode[@]}" long.mkv
    ffmpeg -v error -nostdin -i clip.mp4 -ss 1 -t 3 "${encode[@]}" -c:a aac movie.MOV
    ffmpeg -v error -nostdin -ss 1.5 -i movie.MOV -frames:v 1 photo.png
    ffmpeg -v error -nostdin -i photo.png photo.jpg
    heif-enc photo.png -o photo.HEIC >/dev/null
}

# Makes a photo (a HEIC, unless another extension is given) and a movie of the same name in a folder, linked or plain.
make_pair() {
    local state=$1 folder=$2 name=$3 photo=$work/models/photo.${4:-HEIC} movie=$work/models/movie.MOV
    mkdir -p "$folder"
    if [ "$state" = plain ]; then
        cp "$photo" "$folder/$name.${photo##*.}"
        cp "$movie" "$folder/$name.MOV"
    else
        livephoto link "$photo" "$movie" --still 1.5 --name "$name" --output "$folder" >/dev/null
    fi
}

# Makes the file that an example names. Whatever has no extension is a folder that the examples make.
make_input() {
    local name=$1 document=$2
    [ ! -e "$name" ] || return 0
    case $name in
        \~/* | */* | -* | *'*'* | '#'*) ;;
        concert.mkv) cp "$work/models/long.mkv" "$name" ;;
        *.mp4 | *.webm) cp "$work/models/clip.${name##*.}" "$name" ;;
        *.mov) cp "$work/models/clip.mov" "$name" ;;
        *.mxf) ffmpeg -v error -nostdin -i "$work/models/clip.mp4" -c:v mpeg2video -c:a pcm_s16le -ar 48000 "$name" ;;
        *.MP.jpg)
            make_pair linked "$work/single" "${name%%.*}" jpg
            livephoto pack "$work/single/${name%%.*}".[Jj]* --as motion-photo --output "$name" --quiet >/dev/null
            ;;
        *.HEIC | *.MOV)
            # What the document links is not linked yet.
            if commands "$document" | grep -q "livephoto link ${name%.*}\."; then
                make_pair plain . "${name%.*}"
            else
                make_pair linked . "${name%.*}"
            fi
            ;;
        Takeout | DCIM | Backup)
            make_pair plain "$name/2025" IMG_1
            cp "$work/models/photo.jpg" "$name/IMG_2.jpg"
            livephoto link "$name/2025/IMG_1.HEIC" "$name/2025/IMG_1.MOV" --output "$work/single" --force >/dev/null
            livephoto pack "$work/single/IMG_1.HEIC" --as motion-photo --output "$name/PXL_1.MP.heic" --quiet >/dev/null
            ;;
        jobs.yaml)
            cp "$work/models/clip.mp4" lake.mp4
            cp "$work/models/clip.mov" hill.mov
            printf 'version: 1\njobs:\n  - input: lake.mp4\n  - {input: hill.mov, still: 50%%}\n' >"$name"
            ;;
        mine.yaml) livephoto presets show compact >"$name" ;;
        film.cube) printf 'LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n' >"$name" ;;
        *.*) case $name in *[a-z]*.[a-zA-Z]*) fail "$document: nothing here makes $name; add it to make_input." ;; esac ;;
    esac
}

# Makes what the examples of a document read: all words with an extension except those after --output and the like, which a
# later example may read.
make_inputs() {
    local command word words skip
    local -A written=()
    while IFS=$'\t' read -r _ command; do
        read -ra words <<<"${command%%  *}"
        skip=false
        for word in "${words[@]}"; do
            if $skip; then written[$word]=yes; elif [ -z "${written[$word]:-}" ]; then make_input "$word" "$1"; fi
            case $word in -o | --output | --as | --html | --csv | --metrics | --report | --save-recipe | --recipe | '>') skip=true ;; *) skip=false ;; esac
        done
    done < <(commands "$1")
}

make_home() {
    make_pair linked "$HOME/Pictures" IMG_7
    make_pair linked "$HOME/Pictures/2025" IMG_8
    make_pair plain "$HOME/Camera/2026" IMG_9
    mkdir "$HOME/Clips"
    cp "$work/models/clip.mov" "$HOME/Clips/meadow.mov"
    make_pair linked "$work/single" PXL_2
    mkdir -p "$HOME/Phone/Camera"
    livephoto pack "$work/single/PXL_2.HEIC" --as motion-photo --output "$HOME/Phone/Camera/PXL_2.MP.heic" >/dev/null
    livephoto pack "$work/single/PXL_2.HEIC" --as livp --output "$HOME/Phone/PXL_3.livp" >/dev/null
}

# Runs the commands of a document in order. Prints those that end in another way than the document says.
run_document() {
    local document=$1 number command expected status
    while IFS=$'\t' read -r number command; do
        expected=0
        [[ ! $command =~ \#.*\(status\ ([0-9]+)\  ]] || expected=${BASH_REMATCH[1]}
        status=0
        if [[ $command =~ livephoto\ (share|studio) ]]; then
            # Both end when everything is done; here they are stopped, which is how the studio usually ends.
            expected=$([ "${BASH_REMATCH[1]}" = studio ] && echo 0 || echo 130)
            timeout --preserve-status --signal=INT 4 bash -c "$command" >"$work/out" 2>&1 </dev/null || status=$?
            grep -q '://' "$work/out" || status=1
        else
            bash -c "$command" >"$work/out" 2>&1 </dev/null || status=$?
        fi
        count=$((count + 1))
        if [ "$status" -ne "$expected" ]; then
            failures=$((failures + 1))
            say "${document#"$root/"}:$number: status $status: ${command%%  *}"
            sed 's/^/    /' "$work/out" >&2
        fi
    done < <(commands "$document")
}

mkdir "$work/models" "$HOME"
(cd "$work/models" && make_models)
count=0 failures=0
for document in "$root/README.md" "$root"/Documentation/*.md; do
    rm -rf "${HOME:?}" "$work/single" "$work/folder"
    mkdir "$HOME" "$work/folder"
    cd "$work/folder"
    make_home
    make_inputs "$document"
    run_document "$document"
done
[ "$count" -gt 0 ] || fail "no document has a command."
[ "$failures" -eq 0 ] || fail "$failures of $count examples did not end as the document says."
echo "examples: all $count commands of README.md and Documentation do what the documents say."
