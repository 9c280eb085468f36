/// What a first user may write by mistake in the folder of `MistakeTests`, with the exit status and the sentence that says what to do.
extension MistakeTests {
    static let table: [(line: String, status: Int32, sentence: String)] = [
        ("converts clip.mp4", 64, "'converts' is not a command of livephoto; did you mean 'convert'?"),
        ("version", 64, "'version' is not a command of livephoto; use 'livephoto --version' to print the version"),
        (
            "info clip.mp4", 64,
            "'info' is not a command of livephoto; use 'livephoto inspect' to show what is in a file"
        ),
        (
            "gif beach.JPG", 64,
            "'gif' is not a command of livephoto; use 'livephoto export' to write Live Photos as videos, animations or pictures"
        ),
        ("studio nothing.mp4", 66, "nothing.mp4: no such file"),
        ("studio --port 0", 64, "--port: write a number from 1 to 65535"),
        ("studio --preset gone", 64, "no preset is named 'gone'"),
        ("share", 64, "missing expected argument '<pair> ...'"),
        ("share nothing.JPG", 66, "nothing.JPG: no such file"),
        ("share notes.txt", 65, "notes.txt: is not a video that FFmpeg can read"),
        ("share folder", 66, "folder: contains no Live Photo, motion photo or archive of one"),
        ("share beach.JPG --port 0", 64, "--port: write a number from 1 to 65535"),
        (
            "share beach.JPG --address 203.0.113.1", 64,
            "--address: 203.0.113.1 is no address or interface of this machine; it has 127.0.0.1"
        ),
        ("share clip.mp4 --preset gone", 64, "no preset is named 'gone'"),
        ("pack folder --as livp --each", 64, "--each applies only to --as pvt.zip"),
        ("convert", 64, "missing expected argument '<clip> ...'"),
        (
            "convert beach.JPG", 65,
            "beach.JPG: is a picture, not a clip; give a video (livephoto convert CLIP --photo PICTURE takes both)"
        ),
        ("convert notes.txt", 65, "notes.txt: is not a video that FFmpeg can read"),
        ("convert sound.mp3", 65, "sound.mp3: no video stream (it has 1 audio stream); a Live Photo needs video"),
        ("convert empty.mp4", 65, "empty.mp4: is empty (0 bytes)"),
        ("convert cut.mp4", 65, "cut.mp4: is cut off before its index (the box moov); copy it again"),
        ("convert folder", 65, "folder: contains no video files"),
        ("convert clip.mp4 --time 2", 64, "unknown option '--time'; use --still for the moment of the key photo"),
        ("convert clip.mp4 --audio none", 64, "unknown option '--audio'; use --no-audio to leave out the sound"),
        (
            "convert clip.mp4 --resolution 1080p", 64,
            "unknown option '--resolution'; use --max-size for the largest size of the movie"
        ),
        ("convert clip.mp4 --heic", 64, "unknown option '--heic'; use --photo-format for JPEG or HEIC"),
        ("convert clip.mp4 --hevc", 64, "unknown option '--hevc'; use --video-codec for H.264 or HEVC"),
        (
            "convert clip.mp4 --effect boomerang", 64,
            "--effect: 'boomerang' is not an effect; write loop, bounce (a boomerang) or long-exposure"
        ),
        (
            "convert clip.mp4 --reverse", 64,
            "unknown option '--reverse'; use --effect for a loop, a bounce or a long exposure"
        ),
        ("convert clip.mp4 --loop", 64, "unknown option '--loop'; use --effect loop for a seamless loop"),
        ("convert clip.mp4 --bw", 64, "unknown option '--bw'; use --saturation -100 for black and white"),
        ("frames clip.mp4 -vf fps=1", 64, "unknown option '-vf'; frames shows the clip as it is"),
        ("convert clip.mp4 --start 2 --end 1", 64, "cannot start at 2 s and end at 1 s; write a later end"),
        ("presets show clip.mp4", 64, "the name of a preset's file ends in .yaml, .yml or .json"),
        ("preview --player -o player.js", 64, "--player prints the player; write it to a file with > player.js"),
        (
            "convert clip.mp4 --speed 200%", 64,
            "--speed: '200%' is not a speed; write a factor from 0.25 to 4 with at most two decimals, such as 0.5"
        ),
        (
            "convert clip.mp4 --volume 500", 64,
            "--volume: '500' is not a volume; write a factor from 0 to 4 with at most two decimals, such as 0.5"
        ),
        ("convert clip.mp4 --rotate left", 64, "--rotate: 'left' is not a rotation; write 90, 180 or 270"),
        ("convert clip.mp4 --flip both", 64, "--flip: 'both' is not a direction; write horizontal or vertical"),
        (
            "convert clip.mp4 --crop 100x100", 64,
            "--crop: '100x100' is not a part of a picture; write left edge, upper edge, width and height in pixels, such as 200,0,1080,1080"
        ),
        (
            "convert clip.mp4 --crop 0,0,9999,9999", 64,
            "clip.mp4: the part 0,0,9999,9999 (x, y, width, height) is not inside the clip's upright picture of 320x180"
        ),
        (
            "convert clip.mp4 --fill square", 64,
            "--fill: 'square' is not a shape; write width and height, from 1:20 to 20:1, such as 16:9, 3:4 or 9:19.5"
        ),
        (
            "convert clip.mp4 --fill 3:4 --fit 3:4", 64,
            "--fit: fill and fit exclude each other: one crops to a shape, the other adds black bars"
        ),
        ("convert clip.mp4 --still 1:75", 64, "--still: '1:75' is not a time in a clip; write seconds"),
        ("convert clip.mp4 --count 0", 64, "--count: write a number from 1 to 100"),
        ("convert clip.mp4 --count -1", 64, "--count: write a number from 1 to 100"),
        (
            "convert clip.mp4 --count 3 --still 1", 64,
            "--count and --still exclude each other: one chooses the moments, the other names them"
        ),
        ("convert clip.mp4 --preset wallpapers", 64, "no preset is named 'wallpapers'; did you mean 'wallpaper'?"),
        (
            "convert clip.mp4 -o clip.mp4", 64,
            "--output: 'clip.mp4' is neither a folder nor the name of a Live Photo's file, which ends in .MOV, .JPG or .HEIC"
        ),
        (
            "convert clip.mp4 -o notes.txt", 73,
            "notes.txt/clip.JPG: cannot be created, because a part of its path is a file, not a folder"
        ),
        (
            "convert clip.mp4 --exposure bright", 64,
            "--exposure: 'bright' is not an exposure; write stops from -5 to 5 with at most two decimals, such as 0.5 or -1"
        ),
        (
            "convert clip.mp4 --contrast 200", 64,
            "--contrast: '200' is not an amount; write a whole number from -100 to 100"
        ),
        ("convert clip.mp4 --jobs -1", 64, "--jobs: write a number from 1 to 256"),
        ("convert clip.mp4 --output", 64, "missing value for '--output <path>'"),
        ("convert clip.mp4 --photo gone.jpg", 66, "gone.jpg: no such file"),
        ("convert clip.mp4 --photo notes.txt", 65, "notes.txt: is not a photo (JPEG, HEIC, AVIF, PNG, TIFF or WebP)"),
        (
            "convert clip.mp4 --lut notes.txt", 64,
            "--lut: 'notes.txt' is not a LUT file; write the path of a .cube file"
        ),
        (
            "convert clip.mp4 --filter drawtext=text=hi", 64,
            "--filter: 'drawtext=text=hi' is not a filter chain: 'drawtext' is not an allowed filter; write filters such as 'eq=contrast=1.2,gblur=2', of those that Documentation/Filters.md lists"
        ),
        (
            "convert clip.mp4 --name {stem}-{number}", 64,
            "--name: '{number}' is not a placeholder; use {stem}, {folder}, {extension}, {index} or {date:%Y-%m-%d}"
        ),
        (
            "convert clip.mp4 --background greenish", 64,
            "--background: 'greenish' is not a colour; write black, white, gray, red, yellow, green, blue, or red, green and blue in hexadecimal, such as 1E90FF or '#1E90FF'"
        ),
        ("convert clip.mp4 --dryrun", 64, "unknown option '--dryrun'; did you mean '--dry-run'?"),
        (
            "convert clip.mp4 --memory-limit 1", 64,
            "--memory-limit: '1' is not a memory limit; write a whole number of megabytes from 256 to 1048576"
        ),
        ("convert clip.mp4 --from 1", 64, "unknown option '--from'; use --start for the beginning of the movie"),
        ("convert clip.mp4 --to 2", 64, "unknown option '--to'; use --end for the end of the movie"),
        (
            "convert clip.mp4 --crf 20", 64,
            "unknown option '--crf'; use --preset for quality and size; 'livephoto presets' lists the presets"
        ),
        ("convert clip.mp4 --title hi", 64, "unknown option '--title'; use --name for the name of both files"),
        ("convert clip.mp4 --overwrite", 64, "unknown option '--overwrite'; use --force to replace existing files"),
        (
            "convert clip.mp4 --recursive", 64,
            "unknown option '--recursive'; folders are searched with everything below them"
        ),
        (
            "convert clip.mp4 --threads 2", 64,
            "unknown option '--threads'; the number of threads follows from the processors; --jobs is the number of clips at a time"
        ),
        (
            "convert clip.mp4 --wallpaper", 64,
            "unknown option '--wallpaper'; use --preset wallpaper for the lock screen, or --motion for its motion records"
        ),
        ("frames", 64, "missing expected argument '<clip>'"),
        ("frames clip.mp4 --every 0", 64, "--every: write a time of more than 0 s between the pictures"),
        (
            "frames clip.mp4 -o sheet.bmp", 64,
            "--output: 'sheet.bmp' is not the name of a sheet, which ends in .jpg, .png or .html"
        ),
        ("link beach.JPG", 64, "give --output DIR to write copies, or --in-place to change the files"),
        ("link photo.jpg -o x", 66, "photo.jpg: there is no movie of the same name beside it; give both files"),
        ("link photo.jpg notes.txt -o x", 65, "notes.txt: is not a movie"),
        ("link photo.jpg cut.mp4 -o x", 65, "cut.mp4: is cut off at byte 20000; copy it again"),
        ("link photo.jpg clip.mp4 --in-place -o x", 64, "--output and --in-place exclude each other"),
        ("link --by-name", 64, "missing value for '--by-name <dir>'"),
        ("link --by-name clip.mp4 -o x", 64, "clip.mp4: is not a folder; to link a single pair, name both files"),
        ("unlink", 64, "missing expected argument '<photo|movie> ...'"),
        ("unlink beach.JPG", 64, "give --output DIR to write copies, or --in-place to change the files"),
        ("unlink beach.JPG --undo", 64, "unknown option '--undo'; 'livephoto undo' undoes changes in place"),
        ("edit beach.JPG", 64, "nothing to change; 'livephoto edit --help' lists what can be changed"),
        ("edit beach.JPG --still 1", 64, "give --output DIR to write copies, or --in-place to change the files"),
        ("edit beach.JPG --in-place", 64, "nothing to change; 'livephoto edit --help' lists what can be changed"),
        (
            "edit alone/clip.mp4 --still 1 -o x", 66,
            "alone/clip.mp4: there is no photo of the same name beside it; give both files, or make a Live Photo of the clip: livephoto convert alone/clip.mp4"
        ),
        ("edit beach.JPG --start 3 --end 1 -o x", 64, "beach.MOV: no frame would be kept between"),
        ("edit beach.JPG --recipe gone.yaml -o x", 66, "gone.yaml: no such file"),
        ("edit beach.JPG --recipe mine.yaml -o x", 64, "mine.yaml:1:1: expected keys with values, found 'x'"),
        ("undo", 64, "missing expected argument '<pair|folder> ...'"),
        ("undo folder", 66, "folder: there is nothing to undo: no pair in it was changed in place"),
        (
            "undo beach.JPG --in-place", 64,
            "unknown option '--in-place'; it is an option of 'edit', 'link' and 'unlink'"
        ),
        ("undo --import folder", 64, "folder: has nothing that 'livephoto import' has put there from this machine"),
        ("import folder", 64, "missing expected argument '--output <dir>'"),
        ("import clip.mp4 -o Library", 64, "clip.mp4: is not a folder; name the folder that it is in"),
        (
            "import alone/takeout.zip -o Library", 64,
            "alone/takeout.zip: is an archive; unpack all archives of the export into one folder, and name that"
        ),
        ("import . -o .", 64, ".: is or holds the folder that is imported; name another one for the library"),
        ("import folder --for iphone -o Library", 64, "--for: 'iphone' is not one of apple, android and plain"),
        (
            "import folder --tree %Q -o Library", 64,
            "--tree: '%Q' is not a path of dates; write %Y, %m and %d, with slashes between folders: %Y/%m"
        ),
        ("extract photo.jpg", 65, "photo.jpg: is a photo without a movie in it"),
        (
            "extract beach.JPG", 65,
            "beach.JPG: is a photo without a movie in it; it and beach.MOV are a Live Photo of two files already"
        ),
        (
            "pack beach.JPG", 64,
            "give --output the extension of a format, such as beach.pvt.zip, or name the format with --as: pvt, pvt.zip, livp, motion-photo or dcim"
        ),
        ("pack beach.JPG --as mp4", 64, "--as: 'mp4' is not a format; write pvt, pvt.zip, livp, motion-photo or dcim"),
        (
            "pack beach.JPG --as motion-photo --for nokia", 64,
            "--for: 'nokia' is unknown; write google, samsung, xiaomi, oppo, vivo, huawei or honor"
        ),
        (
            "pack alone/clip.mp4 --as pvt", 66,
            "alone/clip.mp4: there is no photo of the same name beside it; give both files, or make a Live Photo of the clip: livephoto convert alone/clip.mp4"
        ),
        (
            "export beach.JPG --as mp3", 64,
            "--as: 'mp3' is not an export format; write mp4, gif, webp, avif, jpeg or frames"
        ),
        (
            "export beach.JPG -o a.gif --quality 1000", 64,
            "--quality: '1000' is not a photo quality; write a whole number from 1 to 100"
        ),
        (
            "export beach.JPG -o a.gif --max-size big", 64,
            "--max-size: 'big' is not a size; write two edges from 16 to 8192 pixels, such as 1920x1080, or 1080p, or one number for both"
        ),
        ("preview", 64, "give Live Photos or folders, or --player"),
        ("preview folder", 66, "folder: contains no Live Photo, motion photo or archive of one"),
        ("preview gone.JPG", 66, "gone.JPG: no such file"),
        ("preview beach.JPG -o page.pdf", 64, "--output: 'page.pdf' is not the name of a page, which ends in .html"),
        ("inspect folder", 66, "folder: contains no photo, movie or bundle"),
        (
            "inspect notes.txt", 65,
            "notes.txt: is not a photo (JPEG, HEIC, AVIF), movie (MOV, MP4) or bundle (.livp, .pvt)"
        ),
        ("verify", 64, "name a photo and its movie, or a folder"),
        (
            "verify notes.txt", 66,
            "notes.txt: is not a photo, and there is no photo of the same name beside it; give both files"
        ),
        (
            "verify alone/clip.mp4", 66,
            "alone/clip.mp4: there is no photo of the same name beside it; give both files, or make a Live Photo of the clip: livephoto convert alone/clip.mp4"
        ),
        (
            "verify beach.JPG --profile iphone", 64,
            "--profile: 'iphone' is not a profile; write any, classic, modern or wallpaper"
        ),
        ("verify beach.JPG --pixel", 64, "unknown option '--pixel'; did you mean '--pixels'?"),
        (
            "verify --explain no-such-rule", 64,
            "there is no rule 'no-such-rule'; 'livephoto verify --explain' describes all"
        ),
        ("batch jobs.yaml", 64, "jobs.yaml:4:3: unknown key 'inptu'; did you mean 'input'?"),
        (
            "batch folder", 64,
            "'folder' is a folder, not a job file; to convert the clips in it: livephoto convert folder"
        ),
        ("batch good.yaml --retry -1", 64, "--retry: write a number from 0 to 100"),
        (
            "batch good.yaml --shard 3/2", 64,
            "--shard: '3/2' is not a part of a batch; write its number and the number of parts (3/6), auto, or auto/6 if the cluster sets only the number"
        ),
        (
            "batch report folder", 66,
            "folder: is not the output folder of a batch (it has no .livephoto-batch with a journal)"
        ),
        (
            "presets show nothing", 64,
            "no preset is named 'nothing'; there are classic, smooth, compact, modern and wallpaper"
        ),
        ("presets check", 64, "missing expected argument '<file|name> ...'"),
        ("verify . --html photo.jpg", 64, "--html: give the name of a file that ends in .html"),
        (
            "verify . --html keep.html", 73,
            "keep.html: exists and is not a list that was written before; give another name"
        ),
        ("import alone -o x -n --csv keep.csv", 73, "keep.csv: exists and is not a list that was written before"),
        ("edit beach.JPG --exposure 0 --volume 1 -o x", 64, "nothing to change"),
        ("convert clip.mp4 folder", 65, "folder: is empty; to write into it: --output folder"),
        ("batch good.yaml --resume --restart", 64, "--restart and --resume exclude each other"),
        ("batch good.yml", 66, "good.yml: no such file"),
        ("frames clip.mp4 --still 2", 64, "unknown option '--still'; use --around to show the frames around a time"),
        (
            "convert clip.mp4 --square", 64,
            "unknown option '--square'; use --fill to crop to a shape, as --fill 1:1 does"
        ),
        ("doctor --fix", 64, "unknown option '--fix'"),
    ]
}
