import Files
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Copies of linked pairs in folders by date, and copies of one pair in several folders.
@Suite struct DateTreeTests {
    private let temporary: TemporaryFolder
    private var root: FilePath { temporary.path.appending("tree") }
    private var out: FilePath { temporary.path.appending("out") }

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// - Parameters:
    ///   - photoDate: In its Exif.
    ///   - movieDate: Seconds since 1904 in the movie's header.
    private func add(
        _ photo: String, _ movie: String, photoDate: String? = nil, movieDate: UInt64? = nil
    ) throws {
        var pair = try SamplePair.plain.get()
        (pair.photoName, pair.movieName) = (photo, movie)
        if let date = photoDate.flatMap(CaptureDate.init(iso8601:)) {
            pair.photo = try PhotoEditor(pair.photo).applying(ExifUpdate(captureDate: .set(date)))
        }
        if let movieDate { try pair.changeMovie { $0.header.times.creation = movieDate } }
        try pair.write(below: root)
    }

    /// What became of the pairs, and how many still times were looked for. Pairs count as equal if
    /// the photos' names begin with the same character.
    private func link(
        _ pattern: String? = nil, to destination: LivePhotoLinker.Destination? = nil
    ) async throws -> (lines: [String], chosen: Int) {
        let chosen = Mutex(0)
        var linker = FolderLinker { _, _, _ throws(LivePhotoError) in
            chosen.withLock { $0 += 1 }
            return StillMoment(
                time: MediaTime(value: SamplePair.stillTime, timescale: 600), source: .photo(similarity: 0.9))
        }
        linker.folders = try pattern.map { try #require(DateFolders($0)) }
        linker.identify = { photo, _, _ throws(LivePhotoError) in
            let first = photo.lastComponent?.string.unicodeScalars.first?.value ?? 0
            let digits = String(first, radix: 16)
            return ContentIdentifier(
                "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
                ?? ContentIdentifier()
        }
        var lines: [String] = []
        try await linker.link(below: root, to: destination ?? .directory(out, replacesExisting: false)) {
            outcome in
            let photo = outcome.files.first?.string.replacing("\(root)/", with: "") ?? ""
            switch outcome.status {
            case .linked(let result, _):
                lines.append("\(photo): \(result.livePhoto.photo.string.replacing("\(out)/", with: ""))")
            case .linkedAlready: lines.append("\(photo): already")
            case .copy(let other): lines.append("\(photo): copy of \(other.string.replacing("\(root)/", with: ""))")
            case .linkable, .converted, .convertible, .leftAlone, .notAlike, .failed:
                lines.append("\(photo): \(outcome.status)")
            }
        }
        return (lines, chosen.withLock { $0 })
    }

    @Test func `copies are in folders by the photo's date, otherwise by the movie's`() async throws {
        try add("a/1.jpg", "a/1.mov", photoDate: "2023-05-31T23:30:00+0900", movieDate: 3_800_000_000)
        try add("a/2.jpg", "a/2.mov", movieDate: 3_791_577_600)
        try add("a/3.jpg", "a/3.mov", movieDate: 3_791_577_599)
        try add("a/4.jpg", "a/4.mov")
        let first = try await link("%Y/%m-%d")
        #expect(
            first.lines == [
                "a/1.jpg: 2023/05-31/1.JPG", "a/2.jpg: 2024/02-24/2.JPG", "a/3.jpg: 2024/02-23/3.JPG",
                "a/4.jpg: undated/4.JPG",
            ])
        let before = try temporary.files
        #expect(try await link("%Y/%m-%d").lines.allSatisfy { $0.hasSuffix(": already") })
        #expect(try temporary.files == before)
    }

    @Test func `copies without a date are in the folder of the one that a sidecar or the name has`() async throws {
        try add("a/1.jpg", "a/1.mov")
        try temporary.write(#"{"photoTakenTime": {"timestamp": "1757677510"}}"#, to: "tree/a/1.jpg.json")
        try add("a/IMG_20230531_120000.jpg", "a/IMG_20230531_120000.mov")
        #expect(
            try await link("%Y/%m").lines == [
                "a/1.jpg: 2025/09/1.JPG", "a/IMG_20230531_120000.jpg: 2023/05/IMG_20230531_120000.JPG",
            ])
    }

    @Test(arguments: [true, false])
    func `pairs of which only samples are equal have identifiers and copies of their own`(areEqual: Bool) async throws {
        try add("a/one.jpg", "a/one.mov")
        try add("b/two.jpg", "b/two.mov", photoDate: areEqual ? nil : "2023-05-31T23:30:00+0900")
        var linker = FolderLinker { _, _, _ throws(LivePhotoError) in
            StillMoment(time: MediaTime(value: SamplePair.stillTime, timescale: 600), source: .photo(similarity: 0.9))
        }
        linker.folders = DateFolders("%Y")
        let sample = ContentIdentifier()
        linker.identify = { _, _, extent throws(LivePhotoError) in extent == .samples ? sample : ContentIdentifier() }
        var identifiers: Set<ContentIdentifier> = []
        try await linker.link(below: root, to: .directory(out, replacesExisting: false)) { outcome in
            if case .linked(let result, _) = outcome.status { identifiers.insert(result.livePhoto.contentIdentifier) }
        }
        #expect(areEqual ? identifiers == [sample] : identifiers.count == 2 && !identifiers.contains(sample))
    }

    @Test func `equal pairs have one copy, and other files of a name get numbers, whatever their case`() async throws {
        for folder in ["a", "b"] { try add("\(folder)/one.jpg", "\(folder)/one.mov") }
        try add("c/ONE.jpg", "c/ONE.mov")
        try add("d/two.jpg", "d/two.mov")
        try write("something else", to: "out/undated/two.mov")
        try write("something else", to: "out/undated/TWO-2.heic")
        let first = try await link("%Y")
        #expect(
            first.lines == [
                "a/one.jpg: undated/one.JPG", "b/one.jpg: copy of a/one.jpg", "c/ONE.jpg: undated/ONE-2.JPG",
                "d/two.jpg: undated/two-3.JPG",
            ])
        #expect(first.chosen == 3)
        #expect(temporary.contents.filter { $0.hasPrefix("out/undated/") }.count == 8)
        #expect(try await link("%Y").lines.allSatisfy { $0.hasSuffix(": already") })
        #expect(try temporary.text("out/undated/two.mov") == "something else")
    }

    #if os(Linux)
        @Test func `pairs of one name that is no text have copies, and are known again`() async throws {
            // "é" in Latin-1.
            let bytes: [CInterop.PlatformChar] = [-23, 0]
            let name = try #require(FilePath.Component(platformString: bytes))
            for (folder, second) in [("a", 1), ("b", 2)] {
                try add("\(folder)/1.jpg", "\(folder)/1.mov", photoDate: "2023-05-31T23:30:0\(second)+0900")
                for kind in ["jpg", "mov"] {
                    var path = root.appending(folder).appending(name)
                    path.extension = kind
                    try FileSystem.move(root.appending("\(folder)/1.\(kind)"), to: path)
                }
            }
            var linker = FolderLinker { _, _, _ throws(LivePhotoError) in
                StillMoment(
                    time: MediaTime(value: SamplePair.stillTime, timescale: 600), source: .photo(similarity: 0.9))
            }
            (linker.folders, linker.identify) = (DateFolders("%Y"), FolderLinker.byContents)
            for isFirst in [true, false] {
                var count = 0
                try await linker.link(below: root, to: .directory(out, replacesExisting: false)) { outcome in
                    count += 1
                    let isLinked = if case .linked = outcome.status { true } else { false }
                    #expect(isLinked == isFirst && (isFirst || outcome.status == .linkedAlready), "\(outcome)")
                }
                #expect(count == 2)
                #expect(try FileSystem.names(in: out.appending("2023")).count == 4)
            }
        }
    #endif

    @Test func `of equal pairs, one that can be linked is copied, and one with a date`() async throws {
        try add("a/1.jpg", "b/1.mov")
        try add("c/1.jpg", "c/1.mov")
        try add("a/foo.jpg", "a/foo.mov")
        try write(#"{"photoTakenTime": {"timestamp": "0"}, "geoData": {}}"#, to: "tree/a/foo.jpg.json")
        try add("c/f_20250912_134510.jpg", "c/f_20250912_134510.mov")
        #expect(
            try await link("%Y").lines.sorted() == [
                "a/1.jpg: copy of c/1.jpg", "a/foo.jpg: copy of c/f_20250912_134510.jpg", "c/1.jpg: undated/1.JPG",
                "c/f_20250912_134510.jpg: 2025/f_20250912_134510.JPG",
            ])
    }

    @Test func `of equal pairs, the one with a sidecar is copied, whatever the order of the folders`() async throws {
        for folder in ["a", "b", "c"] { try add("\(folder)/1.jpg", "\(folder)/1.mov") }
        try write(#"{"photoTakenTime": {"timestamp": "1757677510"}}"#, to: "tree/b/1.jpg.json")
        #expect(
            try await link("%Y").lines == [
                "b/1.jpg: 2025/1.JPG", "a/1.jpg: copy of b/1.jpg", "c/1.jpg: copy of b/1.jpg",
            ])
        #expect(try await link("%Y").lines.allSatisfy { $0.hasSuffix(": already") })
    }

    private func write(_ text: String, to name: String) throws { try temporary.write(text, to: name) }

    @Test func `copies of one pair get one identifier and are decoded once`() async throws {
        for folder in ["a", "b", "c"] { try add("\(folder)/1.jpg", "\(folder)/1.mov") }
        #expect(try await link().chosen == 1)
        let before = try temporary.files
        #expect(try await link(to: .inPlace).chosen == 1)
        for folder in ["tree/a/1", "tree/b/1", "tree/c/1", "out/a/1", "out/b/1"] {
            let isCopy = folder.hasPrefix("out")
            let report = try LivePhotoVerifier().verify(
                photo: temporary.path.appending(folder + (isCopy ? ".JPG" : ".jpg")),
                movie: temporary.path.appending(folder + (isCopy ? ".MOV" : ".mov")))
            #expect(report.isGood && report.contentIdentifier == "00000000-0000-4000-8000-000000000031")
        }
        _ = try await InPlaceUndo().undo(below: root)
        #expect(try temporary.files == before)
    }

    @Test(arguments: [
        ("%Y/%m", "2023/05"), ("%Y-%m-%d", "2023-05-07"), ("Photos from %Y/%H.%M.%S", "Photos from 0023/04.03.02"),
        ("100%% %Y", "100% 2023"),
    ]) func `a pattern becomes folders`(pattern: String, folders: String) throws {
        let year = folders.contains("0023") ? "0023" : "2023"
        let date = try #require(CaptureDate(iso8601: "\(year)-05-07T04:03:02"))
        #expect(try #require(DateFolders(pattern)).folder(for: date) == FilePath(folders))
    }

    @Test(arguments: ["", "photos", "%y", "%", "%Y/", "/%Y", "%Y//%m", "../%Y", "%Y/..", ".%Y", "%Y\0", "%%Y"])
    func `a pattern that is no path of dates is rejected`(pattern: String) {
        #expect(DateFolders(pattern) == nil)
    }
}
