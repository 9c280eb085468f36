extension OptionSynonym {
    /// Options of ffmpeg, HandBrake, ImageMagick, exiftool, gifski, makelive and common Unix programs. The first entry that
    /// fits a command counts.
    package static let all = input + output + window + picture + soundAndMetadata + running + otherCommands

    private static let photoAndMovie = "i input file photo image picture movie video manual m pair heic jpg mov"

    private static let input: [Self] = [
        .say(
            "give the photo and the movie without options: livephoto link PHOTO MOVIE", for: photoAndMovie, in: "link"),
        .say(
            "give the photo and the movie without options: livephoto unlink PHOTO MOVIE", for: photoAndMovie,
            in: "unlink"),
        .say(
            "give the photo and the movie without options: livephoto edit PHOTO MOVIE", for: photoAndMovie, in: "edit"),
        .use("--around", "to show the frames around a time", for: "still at time moment frame", in: "frames"),
        .use("--fill", "to crop to a shape, as --fill 1:1 does", for: "square"),
        .use("--photo", "to use another key photo", for: "image picture key-photo-file cover-image"),
        .say(
            "give the clip without an option: livephoto convert CLIP --output FOLDER",
            for: "i input in-file infile input-file file clip video movie source src", in: "", "convert"),
        .say(
            "give files and folders without an option",
            for: "i input in-file infile input-file file files photo image movie video source src",
            in: "inspect", "verify", "extract", "pack", "batch report", "preview"),
        .say("give files and folders without an option", for: "dir directory folder", in: "inspect", "verify"),
        .say("give the job file without an option", for: "i input file jobs-file jobfile job config c", in: "batch"),
        .say("give the shell without an option: bash, zsh or fish", for: "shell s bash zsh fish", in: "completions"),
        .use("--by-name", "for a folder tree", for: "recursive recurse r R batch all folder dir directory", in: "link"),
        .say(
            "folders are searched with everything below them",
            for: "recursive recurse subfolders R depth", in: "convert", "inspect", "verify", "extract", "pack",
            "preview"),
        .say(
            "folders are searched with everything below them", for: "r", in: "inspect", "verify", "extract", "pack"),
    ]

    private static let output: [Self] = [
        .use("--in-place", "to change the files themselves", for: "inplace overwrite-original write modify edit w"),
        .use("--as", "for the format", for: "format to type container f kind", in: "pack", "export"),
        .use("--html", "for an HTML page", for: "web page gallery output out", in: "batch report"),
        .use("--output", "for the page", for: "html page web to", in: "preview"),
        .use(
            "--link", "to refer to the files instead of embedding them", for: "no-embed external relative linked",
            in: "preview"),
        .use("--hover", "to play while the mouse is over a photo", for: "autoplay mouseover on-hover", in: "preview"),
        .use("--player", "for the player alone", for: "js javascript script element", in: "preview"),
        .use("--csv", "for a table", for: "spreadsheet excel tsv table xlsx", in: "batch report"),
        .use(
            "--output", "to choose where to write",
            for: """
                out outdir out-dir outfile out-file output-file output-dir output-directory output-folder out-folder dir \
                directory folder dest destination target target-dir export-dir d O
                """),
        .use("--output", "to choose where to write", for: "to", in: "batch", "extract", "link", "unlink", "edit"),
        .use(
            "--force", "to replace existing files",
            for: "y overwrite overwrite-original replace replace-existing clobber force-overwrite yes"),
        .use(
            "--resume", "to keep what is complete", for: "continue skip-existing no-clobber no-overwrite", in: "batch"),
        .use(
            "--name", "for the name of both files",
            for: "title basename base-name filename file-name rename stem prefix"
        ),
        .use("--id", "for the content identifier", for: "uuid identifier content-identifier asset-id asset-identifier"),
        .use("--keep-id", "to keep the content identifier", for: "keep-uuid keep-identifier same-id"),
        .use("--json", "for output that programs read", for: "json-output print-format show-format machine-readable"),
        .use("--json", "for output that programs read", for: "j", in: "inspect", "verify", "batch report"),
        .use(
            "--json", "for output that programs read", for: "format output-format", in: "inspect", "verify"),
        .say("choose --json, --csv FILE or --html FILE", for: "format output-format", in: "batch report"),
    ]

    private static let window: [Self] = [
        .use(
            "--start", "for the beginning of the movie",
            for: "ss start-at start-time from begin in seek skip offset trim-start"),
        .use("--start", "and --end for the part to keep", for: "trim cut range clip-range"),
        .use("--end", "for the end of the movie", for: "to until end-time end-at stop stop-at out-point trim-end"),
        .use("--duration", "for the length of the movie", for: "t length len dur seconds"),
        .use(
            "--find-still", "to search the movie for the photo", for: "find search match find-frame match-frame auto",
            in: "link"),
        .use(
            "--still", "for the moment of the key photo",
            for: """
                time timestamp moment frame still-time still-frame key-frame keyframe key-photo keyphoto photo-time poster \
                poster-time poster-frame thumbnail thumb cover at position frame-number image-time
                """),
    ]

    private static let picture: [Self] = [
        .use(
            "--max-size", "for the largest size",
            for: "s size scale resize width height resolution video-size vf max-width max-height", in: "export"),
        .use("--loop", "for how often an animation plays", for: "loops repeat repetitions", in: "export"),
        .say("use --effect loop for a seamless loop", for: "loop loops", in: "convert", "edit"),
        .say("frames shows the clip as it is; --max-size sets the size of the page", for: "vf filter:v", in: "frames"),
        .use(
            "--new-key-photo", "to make the frame at --still the photo",
            for: "key-photo keyphoto new-photo set-key-photo",
            in: "edit"),
        .use("--fps", "for the frame rate", for: "r framerate frame-rate rate vfr cfr pfr max-fps frames-per-second"),
        .use(
            "--max-size", "for the largest size of the movie",
            for: """
                s size resize scale width height w l W H X Y max-width max-height max-dimension max-edge resolution res \
                dimensions geometry
                """),
        .use(
            "--preset", "for quality and size; 'livephoto presets' lists the presets",
            for: "crf quality q Q qp qscale q:v bitrate b b:v vb maxrate tune z Z encoder-preset x264-preset"),
        .use(
            "--video-codec", "for H.264 or HEVC",
            for: "codec vcodec c c:v encoder e hevc h265 x265 h264 x264 video-format", in: "convert"),
        .use("--photo-format", "for JPEG or HEIC", for: "heic heif image-format jpeg jpg", in: "convert"),
        .say(
            "the movie of a Live Photo is always a QuickTime movie with AAC", for: "acodec c:a format container",
            in: "convert"),
        .use(
            "--tone-map", "to choose how HDR becomes SDR; --hdr keep keeps it, --hdr both adds a gain map",
            for: "tonemap tone-mapping sdr hdr-to-sdr hdr2sdr"),
        .use(
            "--hdr", "both adds a gain map to the photo", for: "gain-map gainmap ultra-hdr ultrahdr", in: "convert"),
        .use(
            "--background", "for the colour of transparent areas",
            for: "bg bgcolor background-color background-colour color colour matte fill-color"),
        .use("--fill", "to crop to an aspect ratio", for: "aspect aspect-ratio ratio dar cover-ratio"),
        .use("--fit", "to add bars", for: "pad padding letterbox bars extent contain"),
        .use("--crop", "for a rectangle", for: "rect rectangle region roi cropping"),
        .use(
            "--filter", "for filters of FFmpeg; --max-size, --fps, --crop, --fill and --fit change size and rate",
            for: "vf filter:v filters filterchain filter-chain filter-complex lavfi curves colorbalance", in: "convert",
            "edit"),
        .use("--rotate", "to rotate by 90, 180 or 270 degrees", for: "transpose rotation turn orientation rot"),
        .use(
            "--effect", "for a loop, a bounce or a long exposure",
            for: "boomerang bounce reverse pingpong ping-pong loop-effect long-exposure mirror-time live-effect"),
        .use(
            "--stabilize", "to steady a shaky movie",
            for: "stabilise stabilization deshake vidstab steady unshake anti-shake video-stabilization"),
        .use(
            "--preset", "wallpaper for the lock screen, or --motion for its motion records",
            for: "wallpaper lock-screen lockscreen live-wallpaper motion-data gyro", in: "convert"),
        .use(
            "--speed", "to play slower or faster",
            for: "slow slowmo slow-motion fast tempo atempo setpts playback-rate"),
        .use("--flip", "to mirror the picture", for: "hflip vflip mirror flop"),
        .use("--exposure", "for brightness in stops", for: "brightness brighten darken ev lightness gamma eq"),
        .use("--contrast", "for the contrast", for: "modulate level"),
        .use(
            "--saturation", "-100 for black and white",
            for: "grayscale greyscale grey gray bw b&w black-and-white blackandwhite mono monochrome noir"),
        .use("--saturation", "for stronger or weaker colours", for: "vibrance saturate hue"),
        .use("--warmth", "for warmer or colder colours", for: "temperature colortemperature white-balance wb"),
        .use("--sharpen", "for sharper edges", for: "unsharp sharpness sharp"),
        .use("--denoise", "for less noise", for: "nr noise-reduction hqdn3d nlmeans despeckle"),
        .use("--straighten", "to rotate by a small angle", for: "deskew level-horizon horizon tilt"),
        .say("a Live Photo always has a movie", for: "vn no-video", in: "convert"),
    ]

    private static let soundAndMetadata: [Self] = [
        .use(
            "--no-audio", "to leave out the sound",
            for:
                "mute an no-sound silence silent without-audio without-sound remove-audio strip-audio audio sound a"),
        .use("--volume", "for the loudness of the sound", for: "gain loudness vol normalize"),
        .use(
            "--no-location", "to leave out the place",
            for: "geotag gps location no-gps no-geotag strip-location remove-location strip-gps"),
        .use(
            "--no-metadata", "to leave out date, place and camera",
            for: "strip strip-metadata remove-metadata no-exif strip-exif map_metadata no-tags all metadata exif"),
        .use(
            "--date", "for the date of both files",
            for: "datetime date-time creation-time creation-date datetimeoriginal createdate alldates taken"),
    ]

    private static let running: [Self] = [
        .use(
            "--quiet", "to print less",
            for: "silent s q no-progress no-output loglevel log-level hide_banner nostats no-stats no-messages"),
        .use("--progress", "none to show no bar", for: "silent q quiet no-progress nostats no-stats stats bar no-bar"),
        .use("--verbose", "for the causes of errors", for: "debug trace loglevel log-level show-log"),
        .use("--verbose", "for the messages of FFmpeg", for: "log", in: "convert"),
        .use(
            "--dry-run", "to see what would be done",
            for: "dry simulate simulation whatif what-if noop no-op no-act just-print pretend plan preview test"),
        .use(
            "--jobs", "for the number of clips at a time", for: "j parallel workers processes concurrency",
            in: "convert"),
        .say(
            "the number of threads follows from the processors; --jobs is the number of clips at a time",
            for: "threads cores", in: "convert"),
        .use("--jobs", "for the number of jobs at a time", for: "threads cores", in: "batch"),
        .use("--jobs", "for the number of jobs at a time", for: "j parallel workers processes concurrency"),
        .use("--retry", "for the number of retries", for: "retries max-retries attempts tries"),
        .use("--max-failures", "to stop after failures", for: "max-errors fail-fast keep-going halt stop-on-error"),
        .use("--shard", "for a part of the batch", for: "part chunk slice split array partition"),
        .use("--report", "for a file with the results", for: "log log-file report-file results"),
        .use("--timeout", "for the longest time", for: "time-limit timelimit max-time wait"),
        .use("--memory-limit", "for the largest memory", for: "max-memory mem memory ram"),
        .use("--sandbox", "off to decode without a sandbox", for: "no-sandbox unsafe"),
        .use("--pixels", "to compare the pictures as well", for: "compare deep full thorough pictures frames"),
        .use("--profile", "for the rules to apply", for: "strict rules kind"),
        .use("--boxes", "to list the boxes", for: "atoms tree structure dump offsets"),
        .use("--whole", "for inherited settings", for: "all full effective resolved"),
        .use("--version", "for the version", for: "V"),
        .use("--help", "for the help", for: "? usage man manual examples"),
    ]

    private static let otherCommands: [Self] = [
        .say("'livephoto undo' undoes changes in place", for: "undo revert restore rollback"),
        .say("'livephoto verify' checks pairs", for: "check validate verify c"),
        .say("'livephoto inspect' shows what is in a file", for: "info probe show identify show-streams"),
        .say("'livephoto presets' lists the presets", for: "list-presets preset-list presets"),
        .say("'livephoto link' links a photo and a movie", for: "link join pair"),
    ]
}
