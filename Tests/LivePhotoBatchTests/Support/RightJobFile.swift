import Testing

/// A job file, and the jobs that it asks for.
struct RightJobFile: Sendable, CustomTestStringConvertible {
    let text: String
    /// `id: input -> folder/name`, and behind it all options that do not follow from these, by their names.
    let jobs: [String]

    private init(_ text: String, _ jobs: String...) {
        (self.text, self.jobs) = (text, jobs)
    }

    /// Of some jobs' lines, and of lines above these.
    private init(_ lines: [String], below head: String = "", _ jobs: String...) {
        (text, self.jobs) = ("version: 1\n\(head)jobs:\n" + lines.map { "- {\($0)}\n" }.joined(), jobs)
    }

    var testDescription: String { text }

    static let all = [
        RightJobFile(["input: clips/a.mp4"], "a: clips/a.mp4 -> a"),
        RightJobFile(["input: a.mp4, id: null, name: ~, fps: null"], "a: a.mp4 -> a"),
        RightJobFile(["input: /clips/a.mp4"], "a: /clips/a.mp4 -> a"),
        RightJobFile(["input: a.b.mp4"], "a.b: a.b.mp4 -> a.b"),
        RightJobFile(["input: a.mp4, id: x, name: y, output: z/../w"], "x: a.mp4 -> w/y"),
        RightJobFile(["input: a.mp4, output: ."], "a: a.mp4 -> a"),
        RightJobFile(["input: in/a.mp4, name: '{folder}-{stem}-{extension}'"], "in-a-mp4: in/a.mp4 -> in-a-mp4"),
        RightJobFile(
            ["input: in/a.mp4, output: '{folder}/{extension}', id: '{stem}'"], "a: in/a.mp4 -> in/mp4/a"),
        RightJobFile(
            ["input: a.mp4", "input: VID_20250912_103000.mp4, name: '{index}-{date:%Y.%m}'"], "a: a.mp4 -> a",
            "2-2025.09: VID_20250912_103000.mp4 -> 2-2025.09"),
        RightJobFile(["input: in/../a.mp4, name: '{'"], "{: in/../a.mp4 -> {"),
        RightJobFile(
            ["input: a.mp4", "input: b.mp4, fps: 30", "input: c.mp4, fps: null"], below: "defaults: {fps: 15}\n",
            "a: a.mp4 -> a fps=15", "b: b.mp4 -> b fps=30", "c: c.mp4 -> c"),
        RightJobFile(
            ["input: a.mp4, fit: 1:1", "input: b.mp4, start: 1, end: 3", "input: c.mp4, volume: 2"],
            below: "defaults: {fill: 3:4, duration: 2, audio: none}\n", "a: a.mp4 -> a audio=none duration=2 fit=1:1",
            "b: b.mp4 -> b audio=none end=3 fill=3:4 start=1", "c: c.mp4 -> c duration=2 fill=3:4 volume=2"),
        RightJobFile(
            ["input: in/a.mp4", "input: in/b.mp4, name: b"], below: "defaults: {name: '{folder}-{stem}'}\n",
            "in-a: in/a.mp4 -> in-a", "b: in/b.mp4 -> b"),
        RightJobFile(
            ["movie: a.mov, photo: b.jpg", "movie: c.mov, photo: c.jpg, still: 50%, input: null"],
            below: "defaults: {fps: 15, preset: compact, output: linked}\n",
            "linked/b: a.mov -> linked/b photo=b.jpg", "linked/c: c.mov -> linked/c photo=c.jpg still=50%"),
        RightJobFile(
            ["input: a.mp4, photo: p/a.heic, movie: null", "input: b.mp4, photo: /p/b.heic"],
            "a: a.mp4 -> a photo=p/a.heic", "b: b.mp4 -> b photo=/p/b.heic"),
        RightJobFile(
            [
                "input: a.mp4, still: '#37', start: 1, end: 0:01:02.5, maxSize: 1280x720, crop: '0,0,16,16', "
                    + "fit: 3:4, videoCodec: hevc, photoFormat: heic, toneMap: hable, background: '#1E90FF', audio: none, metadata: no-location, "
                    + "date: '2025-10-12T23:36:14+13:00', contentIdentifier: CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"
            ],
            "a: a.mp4 -> a audio=none background=#1E90FF contentIdentifier=CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC crop=0,0,16,16 "
                + "date=2025-10-12T23:36:14+13:00 end=0:01:02.5 fit=3:4 maxSize=1280x720 metadata=no-location "
                + "photoFormat=heic start=1 still=#37 toneMap=hable videoCodec=hevc"),
        RightJobFile(
            ["input: a.mp4, before: 0, after: 2.5s, fill: 16/9, fps: 24000/1001-30", "input: b.mp4, duration: 1500ms"],
            "a: a.mp4 -> a after=2.5s before=0 fill=16/9 fps=24000/1001-30", "b: b.mp4 -> b duration=1500ms"),
        RightJobFile(
            ["input: a.mp4, background: white", "input: b.mp4, background: 1E90FF"],
            "a: a.mp4 -> a background=white", "b: b.mp4 -> b background=1E90FF"),
        RightJobFile(
            ["input: a.mp4, preset: compact", "input: b.mp4, preset: {extends: smooth, video: {crf: 18.5}}"],
            "a: a.mp4 -> a", "b: b.mp4 -> b"),
        RightJobFile(
            ["input: in/a.JPG, edit: {no-audio: true, exposure: 0.5, fill: null}, output: e"],
            below: "defaults: {fps: 15, preset: compact, before: 1}\n",
            "e/a: in/a.JPG -> e/a edit={exposure:0.5,no-audio:true}"),
        RightJobFile(
            ["input: a.JPG", "input: b.MOV, photo: c.HEIC, edit: {still: 1}", "input: c.mp4, edit: null, fps: 15"],
            below: "defaults: {edit: {volume: 2}, name: '{stem}-x'}\n", "a-x: a.JPG -> a-x edit={volume:2}",
            "b-x: b.MOV -> b-x edit={still:1} photo=c.HEIC", "c-x: c.mp4 -> c-x fps=15"),
        RightJobFile(
            ["movie: a.mov, photo: b.jpg"], below: "defaults: {edit: {volume: 2}}\n",
            "b: a.mov -> b photo=b.jpg"),
        RightJobFile(
            "output: out\nversion: '1'\ndefaults:\njobs:\n- input: a.mp4\n", "a: a.mp4 -> a"),
    ]
}
