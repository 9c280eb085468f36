# Sourced by the trials of exports: makes the folder `media` that takeout.py needs, in the current folder.
# shellcheck shell=bash

# Usage: make_takeout_media PROGRAM [real]   with media as large as those of phones
make_takeout_media() {
    local program=$1 real=${2:-}
    mkdir media
    size=320x180 rate=15 video=(-preset ultrafast) scale=iw:ih
    [ -z "$real" ] || size=1440x1080 rate=30 video=(-preset ultrafast -b:v 9M -maxrate 9M -bufsize 9M -g 18) scale=4032:3024
    encode() { ffmpeg -v error -nostdin "$@"; }
    # make_movie SOURCE SECONDS FILE [OPTION…]
    make_movie() {
        local source=$1 seconds=$2 file=$3
        shift 3
        encode -f lavfi -i "$source=size=$size:rate=$rate" -t "$seconds" -vf noise=alls=14:allf=t -c:v libx264 "${video[@]}" \
            -pix_fmt yuv420p "$@" "media/$file.mp4"
    }
    dated=(-metadata creation_time=2001-01-01T00:00:00Z)
    sources=(testsrc2 mandelbrot smptehdbars)
    for number in "${!sources[@]}"; do
        make_movie "${sources[number]}" 2 "movie-$number" "${dated[@]}"
        encode -i "media/movie-$number.mp4" -map 0 -c copy -map_metadata -1 "media/movie-undated-$number.mp4"
        encode -i "media/movie-$number.mp4" -ss 0.6 -frames:v 1 -vf "scale=$scale" -q:v 4 "media/photo-undated-$number.jpg"
        cp "media/photo-undated-$number.jpg" "media/photo-$number.jpg"
        exiftool -q -overwrite_original -DateTimeOriginal="2001:01:01 00:00:00" -OffsetTimeOriginal=+02:00 \
            "media/photo-$number.jpg"
        "$program" link "media/photo-$number.jpg" "media/movie-$number.mp4" --output "media/linked-$number.MOV" \
            --json >link.json
        jq -r .contentIdentifier link.json >"media/identifier-$number"
    done
    make_movie testsrc 9 long "${dated[@]}"
}
