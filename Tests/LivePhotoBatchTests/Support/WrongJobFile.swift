import Testing

/// A job file that is wrong in one thing.
struct WrongJobFile: Sendable, CustomTestStringConvertible {
    let text: String
    /// What is said of it, with its place.
    let message: String
    /// Whether a JSON Schema can know that it is wrong.
    let isOfSchema: Bool

    /// - Parameter message: behind the file's name.
    private init(_ text: String, _ message: String, isOfSchema: Bool = true) {
        (self.text, self.message, self.isOfSchema) = (text, "jobs.yaml" + message, isOfSchema)
    }

    /// Of one job: its second line on.
    private init(job: String, _ message: String, isOfSchema: Bool = true) {
        self.init("version: 1\njobs:\n- {\(job)}", message, isOfSchema: isOfSchema)
    }

    var testDescription: String { text }

    static let all = documents + jobs + values + conflicts

    private static let documents = [
        WrongJobFile("", ": the file is empty", isOfSchema: false),
        WrongJobFile("# nothing yet\n", ": the file is empty", isOfSchema: false),
        WrongJobFile("clips/*.mp4", ":1:1: expected keys with values, found 'clips/*.mp4'"),
        WrongJobFile("- input: a.mp4", ":1:1: expected keys with values, found a list"),
        WrongJobFile("jobs:\n- input: a.mp4", ":1:1: the key 'version' is missing; write version: 1"),
        WrongJobFile("version: 2\njobs:\n- input: a.mp4", ":1:10: version: '2' is not a supported version; write 1"),
        WrongJobFile(
            "version: 1.0\njobs:\n- input: a.mp4", ":1:10: version: '1.0' is not a supported version; write 1"),
        WrongJobFile("version: 1", ":1:1: the key 'jobs' is missing"),
        WrongJobFile("version: 1\njobs: []", ": it contains no jobs"),
        WrongJobFile("version: 1\njobs:", ":2:6: jobs: expected a list, found nothing"),
        WrongJobFile("version: 1\njobs: {input: a.mp4}", ":2:7: jobs: expected a list, found keys with values"),
        WrongJobFile("version: 1\njobs: [a.mp4]", ":2:8: jobs[0]: expected keys with values, found 'a.mp4'"),
        WrongJobFile(
            "version: 1\njob:\n- input: a.mp4", ":2:1: unknown key 'job'; did you mean 'jobs'?"),
        WrongJobFile(
            "version: 1\noutput: [a]\njobs:\n- input: a.mp4", ":2:9: output: expected a value, found a list"),
        WrongJobFile(
            "version: 1\njobs:\n- input: a.mp4\njobs:\n- input: b.mp4", ":2:1: 'jobs' given more than once",
            isOfSchema: false),
        WrongJobFile(
            "version: 1\ndefaults: {fps: 15, input: a.mp4}\njobs:\n- input: a.mp4",
            ":2:21: 'input' belongs to a single job and cannot be a default"),
        WrongJobFile(
            "version: 1\ndefaults: {contentIdentifier: CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC}\njobs:\n- input: a.mp4",
            ":2:12: 'contentIdentifier' belongs to a single job and cannot be a default"),
        WrongJobFile(
            "version: 1\ndefaults: {id: a}\njobs:\n- input: a.mp4",
            ":2:12: 'id' belongs to a single job and cannot be a default"),
        WrongJobFile(
            "version: 1\ndefaults: {fsp: 15}\njobs:\n- input: a.mp4", ":2:12: unknown key 'fsp'; did you mean 'fps'?"),
        WrongJobFile(
            "version: 1\ndefaults: {fps: fast}\njobs:\n- input: a.mp4",
            ":2:17: defaults.fps: 'fast' is not a range of frame rates; write a range within 1 to 240, such as 12-15, "
                + "or one rate, such as 15 or 30000/1001"),
        WrongJobFile(
            "version: 1\ndefaults: fast\njobs: []", ":2:11: defaults: expected keys with values, found 'fast'"),
    ]

    private static let jobs = [
        WrongJobFile(
            job: "", ":3:3: jobs[0]: a job needs an 'input' to convert or edit, or a 'movie' and a 'photo' to link"),
        WrongJobFile(
            job: "photo: a.jpg",
            ":3:3: jobs[0]: a job needs an 'input' to convert or edit, or a 'movie' and a 'photo' to link"),
        WrongJobFile(job: "imput: a.mp4", ":3:4: unknown key 'imput'; did you mean 'input'?"),
        WrongJobFile(job: "input: a.mp4, colour: red", ":3:18: unknown key 'colour'"),
        WrongJobFile(job: "input: [a.mp4, b.mp4]", ":3:11: jobs[0].input: expected a value, found a list"),
        WrongJobFile(job: "input: ''", ":3:11: jobs[0].input: '' is not one line of text"),
        WrongJobFile(job: "input: \"a\\nb\"", ":3:11: jobs[0].input: 'a\\nb' is not one line of text"),
        WrongJobFile(job: "movie: a.mov", ":3:3: the key 'jobs[0].photo' is missing"),
        WrongJobFile(
            job: "input: a.mp4, movie: a.mov, photo: a.jpg",
            ":3:11: jobs[0].input: a job has an 'input' to convert or a 'movie' to link, not both"),
        WrongJobFile(
            job: "movie: a.mov, photo: a.jpg, fps: 15",
            ":3:37: jobs[0].fps: is for converting clips; this job links a photo and a movie"),
        WrongJobFile(
            job: "movie: a.mov, photo: a.jpg, preset: classic",
            ":3:40: jobs[0].preset: is for converting clips; this job links a photo and a movie"),
        WrongJobFile(
            job: "input: a.JPG, edit: {no-audio: true}, fps: 15",
            ":3:47: jobs[0].fps: is for converting clips; this job edits a Live Photo; put its settings into 'edit'"),
        WrongJobFile(
            job: "movie: a.mov, photo: a.jpg, edit: {no-audio: true}",
            ":3:38: jobs[0].edit: is for converting clips; this job links a photo and a movie"),
        WrongJobFile(
            job: "edit: {no-audio: true}",
            ":3:3: jobs[0]: a job needs an 'input' to convert or edit, or a 'movie' and a "
                + "'photo' to link"),
        WrongJobFile(job: "input: a.JPG, edit: {}", ":3:24: jobs[0].edit: the recipe changes nothing"),
        WrongJobFile(job: "input: a.JPG, edit: {expsure: 1}", ":3:25: unknown key 'expsure'; did you mean 'exposure'?"),
        WrongJobFile(
            job: "input: a.JPG, edit: {no-audio: yes}", ":3:35: jobs[0].edit.no-audio: 'yes' is neither true nor false"),
        WrongJobFile(
            job: "input: a.JPG, edit: {fill: 1:1, fit: 1:1}",
            ":3:41: jobs[0].edit.fit: fill and fit exclude each other: one crops to a shape, the other adds black bars"),
        WrongJobFile(job: "input: a.JPG, edit: [no-audio]", ":3:24: jobs[0].edit: expected a value, found a list"),
        WrongJobFile(
            job: "input: a.JPG, edit: nowhere.yaml",
            ":3:24: jobs[0].edit: cannot read nowhere.yaml: no such file", isOfSchema: false),
        WrongJobFile(
            job: "input: nowhere/*.mp4", ":3:11: jobs[0].input: no file matches 'nowhere/*.mp4'", isOfSchema: false),
        WrongJobFile(
            job: "input: a.mp4, name: '{stam}'",
            ":3:24: jobs[0].name: '{stam}' is not a placeholder; use {stem}, {folder}, {extension}, {index} or {date:%Y-%m-%d}"
        ),
        WrongJobFile(
            job: "input: a.mp4, name: a/b",
            ":3:24: jobs[0].name: 'a/b' is not a file name; use one without slashes"),
        WrongJobFile(
            job: "input: a.mp4, name: ..",
            ":3:24: jobs[0].name: '..' is not a file name; use one without slashes"),
        WrongJobFile(
            job: "input: a.mp4, output: ../a",
            ":3:26: jobs[0].output: '../a' is not below the output folder; set that folder with --output"),
        WrongJobFile(
            job: "input: a.mp4, output: b/../../a",
            ":3:26: jobs[0].output: 'b/../../a' is not below the output folder; set that folder with --output",
            isOfSchema: false),
        WrongJobFile(
            job: "input: a.mp4, output: /a",
            ":3:26: jobs[0].output: '/a' is not below the output folder; set that folder with --output"),
    ]

    private static let values = [
        WrongJobFile(
            job: "input: a.mp4, still: '-1'",
            ":3:25: jobs[0].still: '-1' is not a time in a clip; write seconds (2.5, 2.5s or 1500ms), minutes (1:02.5) "
                + "or hours (0:01:02.5), a percentage of the clip (0% to 100%) or a frame number from 0 (#37), or auto for "
                + "the best frame"),
        WrongJobFile(
            job: "input: a.mp4, end: 101%",
            ":3:23: jobs[0].end: '101%' is not a time in a clip; write seconds (2.5, 2.5s or 1500ms), minutes (1:02.5) "
                + "or hours (0:01:02.5), a percentage of the clip (0% to 100%) or a frame number from 0 (#37)"),
        WrongJobFile(
            job: "input: a.mp4, before: 50%",
            ":3:26: jobs[0].before: '50%' is not a duration; write seconds (2.5, 2.5s or 1500ms), minutes (1:02.5) or "
                + "hours (0:01:02.5)"),
        WrongJobFile(
            job: "input: a.mp4, maxSize: 1080i",
            ":3:27: jobs[0].maxSize: '1080i' is not a size; write two edges from 16 to 8192 pixels, such as 1920x1080, or 1080p"
        ),
        WrongJobFile(
            job: "input: a.mp4, crop: 'left'",
            ":3:24: jobs[0].crop: 'left' is not a part of a picture; write left edge, upper edge, width and height in "
                + "pixels, such as 200,0,1080,1080"),
        WrongJobFile(
            job: "input: a.mp4, fill: wide",
            ":3:24: jobs[0].fill: 'wide' is not a shape; write width and height, from 1:20 to 20:1, such as 16:9, 3:4 or 9:19.5"
        ),
        WrongJobFile(
            job: "input: a.mp4, fill: 3:4, fit: 3:4",
            ":3:34: jobs[0].fit: fill and fit exclude each other: one crops to a shape, the other adds black bars"),
        WrongJobFile(
            job: "input: a.mp4, toneMap: aces",
            ":3:27: jobs[0].toneMap: 'aces' is not a tone-mapping operator; write mobius, reinhard, hable or clip"),
        WrongJobFile(
            job: "input: a.mp4, background: pink",
            ":3:30: jobs[0].background: 'pink' is not a colour; write black, white, gray, red, yellow, green, blue, or "
                + "red, green and blue in hexadecimal, such as 1E90FF or '#1E90FF'"),
        WrongJobFile(
            job: "input: a.mp4, background: '#FFF'",
            ":3:30: jobs[0].background: '#FFF' is not a colour; write black, white, gray, red, yellow, green, blue, or "
                + "red, green and blue in hexadecimal, such as 1E90FF or '#1E90FF'"),
        WrongJobFile(
            job: "input: a.mp4, preset: {picture: {background: null}}",
            ":3:49: jobs[0].preset.picture.background: expected a value, found nothing"),
        WrongJobFile(
            job: "input: a.mp4, audio: loud",
            ":3:25: jobs[0].audio: 'loud' is not an audio mode; write keep or none"),
        WrongJobFile(
            job: "input: a.mp4, metadata: some",
            ":3:28: jobs[0].metadata: 'some' is not a metadata mode; write keep, no-location or none"),
        WrongJobFile(
            job: "input: a.mp4, date: yesterday",
            ":3:24: jobs[0].date: 'yesterday' is not a date; write one such as 2025-10-12, 2025-10-12 23:36 or 2025-10-12T23:36:14+13:00, or file "
                + "for the file's modification time"),
        WrongJobFile(
            job: "input: a.mp4, contentIdentifier: 12",
            ":3:37: jobs[0].contentIdentifier: '12' is not a UUID; write one such as CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"
        ),
        WrongJobFile(
            job: "input: a.mp4, preset: clasic",
            ":3:26: no preset is named 'clasic'; did you mean 'classic'? There are classic, smooth, compact, modern and wallpaper",
            isOfSchema: false),
        WrongJobFile(
            job: "input: a.mp4, preset: none.yaml",
            ":3:26: cannot read none.yaml: No such file or directory", isOfSchema: false),
        WrongJobFile(job: "input: a.mp4, preset: [classic]", ":3:26: jobs[0].preset: expected a value, found a list"),
        WrongJobFile(
            job: "input: a.mp4, preset: {vido: {crf: 18}}", ":3:27: unknown key 'vido'; did you mean 'video'?"),
        WrongJobFile(
            job: "input: a.mp4, preset: {video: {crf: 52}}",
            ":3:40: jobs[0].preset.video.crf: '52' is not a CRF; write a number from 1 to 51 with at most two decimals"
        ),
        WrongJobFile(
            job: "input: a.mp4, preset: {extends: nobody}",
            ":3:36: no preset is named 'nobody'; there are classic, smooth, compact, modern and wallpaper",
            isOfSchema: false),
    ]

    private static let conflicts = [
        WrongJobFile(
            "version: 1\njobs:\n- input: a/1.mp4\n- input: b/1.mp4",
            ":4:3: 'a/1.mp4' and 'b/1.mp4' would both make '1.MOV'; change the 'name' or 'output' of one, such as "
                + "'{folder}-{stem}'", isOfSchema: false),
        // One file on many file systems.
        WrongJobFile(
            "version: 1\njobs:\n- input: a/x.mp4\n- input: b/X.mp4",
            ":4:3: 'a/x.mp4' and 'b/X.mp4' would both make 'X.MOV'; change the 'name' or 'output' of one, such as "
                + "'{folder}-{stem}'", isOfSchema: false),
        WrongJobFile(
            "version: 1\njobs:\n- input: a.mp4\n- input: a.mp4",
            ":4:3: two jobs for 'a.mp4' would both make 'a.MOV'; change the 'name' or 'output' of one",
            isOfSchema: false),
        WrongJobFile(
            "version: 1\njobs:\n- input: a.mp4\n- {movie: b.mov, photo: a.jpg}",
            ":4:3: 'a.mp4' and 'b.mov' would both make 'a.MOV'; change the 'name' or 'output' of one, such as "
                + "'{folder}-{stem}'", isOfSchema: false),
        WrongJobFile(
            "version: 1\njobs:\n- {input: a.mp4, id: x}\n- {input: b.mp4, id: x}",
            ":4:22: two jobs have the id 'x'; use '{stem}' for the input's name", isOfSchema: false),
        WrongJobFile(
            job: "input: a.mp4, start: 1, end: 3, duration: 2",
            ":3:3: jobs[0]: start, end and duration cannot all be given; leave one out", isOfSchema: false),
        WrongJobFile(
            job: "input: a.mp4, before: 1, after: 1, duration: 3",
            ":3:3: jobs[0]: before, after and duration cannot all be given; leave one out", isOfSchema: false),
    ]
}
