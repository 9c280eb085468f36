import Foundation
import TestSupport
import Testing

/// Holds `Documentation/JSON.md` to what the program prints, in both directions.
@Suite struct JSONPageTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let isoMovie = hex("00000014 'ftypqt  ' 00000000 'qt  '") + DevicePair.movie
        for (name, bytes) in [
            "IMG_0001.HEIC": DevicePair.photo, "IMG_0001.MOV": DevicePair.movie, "brand.MOV": isoMovie,
            "motion.jpg": MotionPhotos.motionPhoto, "beach.pvt/IMG_0001.HEIC": DevicePair.photo,
            "orphans/IMG_0002.HEIC": DevicePair.photo, "records.MOV": try SamplePair.withCompleteRecords().movie,
        ] {
            let url = folder.url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
        }
    }

    /// Runs the program and collects the paths of all properties of the documents it prints.
    private func paths(areLines: Bool, _ arguments: String...) throws -> Set<String> {
        let outcome = try Program.livephoto(arguments, in: folder.url)
        #expect(outcome.status <= 1, "\(arguments): \(outcome.errors)")
        let documents = areLines ? outcome.output.split(separator: "\n") : [outcome.output[...]]
        return try documents.reduce(into: []) { paths, document in
            Self.collect(try JSONSerialization.jsonObject(with: Data(document.utf8)), at: "", into: &paths)
        }
    }

    private static func collect(_ value: Any, at path: String, into paths: inout Set<String>) {
        if let object = value as? [String: Any] {
            for (name, value) in object {
                let path = path.isEmpty ? name : "\(path).\(name)"
                paths.insert(path)
                collect(value, at: path, into: &paths)
            }
        } else if let list = value as? [Any] {
            for element in list { collect(element, at: path + "[]", into: &paths) }
        }
    }

    /// What the page lists below a heading that holds `title`: the names in the first cells of its tables.
    ///
    /// - Parameter isPart: the heading is one of an object within the document, whose properties follow.
    private static func listed(below title: String, isPart: Bool) throws -> Set<String> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("Documentation/JSON.md"), encoding: .utf8)
        let mark = isPart ? "### " : "## "
        let sections = page.split(separator: "\n#").map { "#" + $0 }.filter { $0.hasPrefix("\(mark)`\(title)`") }
        try #require(!sections.isEmpty, "no heading \(title)")
        let rows = sections.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("| `") }
        let names = rows.flatMap { row in
            row.split(separator: "|")[0].split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
        }
        #expect(names.count == Set(names).count, "listed twice below \(title)")
        return Set(names.map { isPart ? "\(title).\($0)" : $0 })
    }

    private func compare(_ printed: Set<String>, _ listed: Set<String>) {
        #expect(printed.subtracting(listed).sorted() == [], "printed, and not on the page")
        #expect(listed.subtracting(printed).sorted() == [], "on the page, and not printed")
    }

    @Test func `the page lists what inspect prints, and nothing else`() throws {
        _ = try Program.livephoto("convert", SampleClips.beach(), "-o", "made", in: folder.url)
        let printed = try paths(
            areLines: true, "inspect", "--json", "IMG_0001.HEIC", "IMG_0001.MOV", "brand.MOV", "records.MOV",
            "motion.jpg", "beach.pvt", "made")
        let parts = try ["photo", "movie", "bundle"].map { try Self.listed(below: $0, isPart: true) }
        compare(printed, try parts.reduce(Self.listed(below: "inspect --json", isPart: false)) { $0.union($1) })
    }

    /// Of Google Takeout, with a date and a place.
    private static let sidecar =
        #"{"photoTakenTime": {"timestamp": "1757684710"}, "geoData": {"latitude": 48.5, "longitude": -2.25}}"#

    @Test func `the page lists what link prints, and nothing else`() throws {
        _ = try Program.livephoto("convert", SampleClips.beach(), "--name", "beach", "-o", "made", in: folder.url)
        try folder.write(Self.sidecar, to: "made/beach.JPG.json")
        let printed = try paths(areLines: false, "link", "made/beach.JPG", "--in-place", "--json", "--date", "file")
        compare(printed, try Self.listed(below: "link --json", isPart: false))
    }

    @Test func `the page lists what link prints for folders, and nothing else`() throws {
        try FolderSamples.write("tree/1", to: folder)
        try FolderSamples.write("tree/2", photo: "black", to: folder)
        try folder.write(Self.sidecar, to: "tree/1.jpg.json")
        let printed = try paths(areLines: true, "link", "--by-name", "tree", "--in-place", "--json")
        compare(printed, try Self.listed(below: "link --by-name --json", isPart: false))
        try Data("edited".utf8).write(to: folder.url.appendingPathComponent("tree/1.jpg"))
        let undone = try paths(areLines: true, "undo", "tree", "--json")
        compare(undone, try Self.listed(below: "undo --json", isPart: false))
    }

    @Test func `the page lists what import prints and undoes, and nothing else`() throws {
        try FolderSamples.write("tree/1", to: folder)
        try FolderSamples.write("tree/2", photo: "black", to: folder)
        try folder.write("text", to: "tree/notes.txt")
        for name in ["tree/album", "tree/broken.pvt"] {
            try FileManager.default.createDirectory(
                at: folder.url.appendingPathComponent(name), withIntermediateDirectories: false)
        }
        try FileManager.default.copyItem(atPath: folder.path("tree/1.jpg"), toPath: folder.path("tree/album/1.jpg"))
        let printed = try paths(areLines: true, "import", "tree", "-o", "library", "--json")
        compare(printed, try Self.listed(below: "import --json", isPart: false))
        try folder.write("changed", to: "library/undated/1.MOV")
        let undone = try paths(areLines: true, "undo", "--import", "library", "--json")
        compare(undone, try Self.listed(below: "undo --import --json", isPart: false))
    }

    @Test func `the page lists what extract and pack print, and nothing else`() throws {
        _ = try Program.livephoto("convert", SampleClips.beach(), "--name", "beach", "-o", "made", in: folder.url)
        let packed = try paths(areLines: true, "pack", "made", "--as", "livp", "-o", "packed", "--json")
        let failed = try paths(areLines: true, "extract", "packed", "motion.jpg", "-o", "live", "--json")
        let copied = try paths(areLines: true, "pack", "made", "--as", "dcim", "-o", "card", "--json")
        // Of a photo without an identifier, bytes between two segments are a note.
        _ = try Program.livephoto("pack", "made", "--as", "motion-photo", "-o", "motion", in: folder.url)
        let path = folder.url.appendingPathComponent("motion/beach.MP.jpg")
        var photo = [UInt8](try Data(contentsOf: path))
        photo.replace(
            Array("AppleContentIdentifier".utf8), with: Array("OtherContentIdentifier".utf8), maxReplacements: 1)
        photo.insert(contentsOf: [0, 0, 0], at: 4 + Int(photo[4]) << 8 + Int(photo[5]))
        try Data(photo).write(to: path)
        let noted = try paths(areLines: true, "extract", "motion/beach.MP.jpg", "-o", "noted", "--json")
        let listed = try Self.listed(below: "extract --json", isPart: false)
        compare(packed.union(failed).union(copied).union(noted), listed)
        #expect(packed == listed.subtracting(["error", "outputs", "notes"]))
    }

    @Test func `the page lists what report prints, and nothing else`() throws {
        let jobs = """
            {"input": "\(try SampleClips.beach())", "name": "beach", "still": 1, "date": "file"}
            {"input": "IMG_0001.HEIC", "name": "photo"}
            """
        try Data(jobs.utf8).write(to: folder.url.appendingPathComponent("jobs.jsonl"))
        let batch = try Program.livephoto(
            "batch", "jobs.jsonl", "-o", "made", "--shard", "1/1", "--report", "report.jsonl", in: folder.url)
        #expect(batch.status == 1, "\(batch.errors)")
        let killed = "{\"id\":\"killed\",\"status\":\"failed\",\"signal\":\"SIGKILL\"}\n"
        try Data(killed.utf8).write(to: folder.url.appendingPathComponent("killed.jsonl"))
        let printed = try paths(areLines: true, "batch", "report", "report.jsonl", "killed.jsonl", "--json")
        compare(printed, try Self.listed(below: "batch report --json", isPart: false))
    }

    @Test(arguments: [["--dry-run", "--id", "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"], []])
    func `the page lists what convert prints, and nothing else`(
        flags: [String]
    ) throws {
        let outcome = try Program.livephoto(
            ["convert", SampleClips.beach(), "-o", "made", "--json", "--date", "file", "--still", "auto"] + flags,
            in: folder.url)
        var printed: Set<String> = []
        Self.collect(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)), at: "", into: &printed)
        compare(printed, try Self.listed(below: "convert --json", isPart: false))
    }

    @Test func `the page lists what convert prints for several clips, and nothing else`() throws {
        let clip = try SampleClips.beach()
        let printed = try paths(
            areLines: true, "convert", clip, "gone.mp4", "-o", "made", "--json", "--date", "file", "--still", "auto",
            "--progress",
            "none")
        let ofOne = try Self.listed(below: "convert --json", isPart: false)
        let listed = try Self.listed(below: "convert --json CLIP…", isPart: false)
        compare(printed, listed.union(ofOne))
    }

    @Test func `the page lists what frames prints, and nothing else`() throws {
        let clip = try SampleClips.beach()
        let printed = try paths(areLines: false, "frames", clip, "--count", "2", "-o", "sheet.jpg", "--json")
        compare(printed, try Self.listed(below: "frames --json", isPart: false))
    }

    /// - Parameter isLong: whether the work takes long enough for an estimate.
    private func progress(of arguments: [String], isLong: Bool) throws -> Set<String> {
        let outcome = try Program.livephoto(arguments + ["-o", "out", "--progress", "json"], in: folder.url)
        var printed: Set<String> = isLong ? [] : ["secondsLeft"]
        for line in outcome.errors.split(separator: "\n") where line.hasPrefix("{") {
            Self.collect(try JSONSerialization.jsonObject(with: Data(line.utf8)), at: "", into: &printed)
        }
        return printed
    }

    @Test func `the page lists what progress prints, and nothing else`() throws {
        try Data("{name: slow, extends: smooth, video: {x264Preset: slow}}".utf8).write(
            to: folder.url.appendingPathComponent("slow.yaml"))
        let arguments = ["convert", try SampleClips.long(), "--preset", "slow.yaml", "--start", "0", "--end", "1.2"]
        compare(
            try progress(of: arguments, isLong: true), try Self.listed(below: "convert --progress json", isPart: false))
        try Data("{\"input\": \"\(try SampleClips.beach())\"}".utf8).write(
            to: folder.url.appendingPathComponent("jobs.jsonl"))
        compare(
            try progress(of: ["batch", "jobs.jsonl"], isLong: false),
            try Self.listed(below: "batch --progress json", isPart: false))
    }

    @Test func `the page lists what verify prints, and nothing else`() throws {
        let pair = try paths(areLines: true, "verify", "--json", "IMG_0001.HEIC", "IMG_0001.MOV")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("orphans/gone.JPG"), withDestinationPath: "nowhere")
        let orphan = try paths(areLines: true, "verify", "--json", "orphans")
        let motion = try paths(areLines: true, "verify", "--json", "motion.jpg")
        compare(pair.union(orphan).union(motion), try Self.listed(below: "verify --json", isPart: false))
    }

    @Test func `the page lists what rules prints, and nothing else`() throws {
        compare(
            try paths(areLines: true, "verify", "--explain", "--json"),
            try Self.listed(below: "verify --explain --json", isPart: false))
    }
}
