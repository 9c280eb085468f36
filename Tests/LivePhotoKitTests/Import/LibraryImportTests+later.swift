import Foundation
import LivePhotoKit
import MediaModel
import StillImage
import SystemPackage
import TestSupport
import Testing

/// What comes after an import.
extension LibraryImportTests {
    @Test func `a sidecar that comes later gives the date and the place, and the file another folder`() async throws {
        let other = try SamplePair.jpeg(size: PixelSize(width: 640, height: 480))
        for name in ["1.jpg", "album/1.jpg"] { try write(other, to: root.pushing(FilePath(name))) }
        try add(photo: "2.JPG", movie: "2.MP4", day: nil)
        try add(photo: "dated.jpg", day: 3)
        try await run()
        let before = try made
        #expect(try await run().allSatisfy { $0.contains(": present") || $0.contains(": copy of") })
        for name in ["1.jpg", "2.JPG"] {
            try write(Array(Self.sidecar(name).utf8), to: root.appending("\(name).json"))
        }
        let planned = try await run { $0.isDryRun = true }
        #expect(try made == before)
        let lines = try await run()
        #expect(lines.contains("in/1.jpg: made out/2024/03/1.jpg ?"), "\(lines)")
        #expect(lines.contains("in/2.JPG in/2.MP4: made out/2024/03/2.JPG out/2024/03/2.MOV"), "\(lines)")
        #expect(planned == lines.map { $0.replacing(": made ", with: ": planned ") })
        #expect(
            try made.keys.sorted() == [
                "out/2024/03/1.jpg", "out/2024/03/2.JPG", "out/2024/03/2.MOV", "out/2025/09/dated.jpg",
            ])
        #expect(!FileManager.default.fileExists(atPath: library.pushing("undated").string))
        let photo = try PhotoMetadata(inputFile(of: library.pushing("2024/03/1.jpg"))).exif
        #expect(photo?.captureDate?.iso8601 == "2024-03-01T12:00:00+0000" && photo?.location?.latitude == 48.5)
        #expect(try await run().allSatisfy { $0.contains(": present") || $0.contains(": copy of") })
        _ = try await undo()
        #expect(!FileManager.default.fileExists(atPath: library.string))
    }

    @Test func `a sidecar that comes later changes nothing that was changed in the library`() async throws {
        try add(photo: "1.jpg", day: nil)
        try await run()
        try write(Array("mine".utf8), to: library.pushing("undated/1.jpg"))
        try write(Array(Self.sidecar("1.jpg").utf8), to: root.appending("1.jpg.json"))
        let lines = try await run()
        #expect(lines.count == 1 && lines[0].contains(": present"), "\(lines)")
        #expect(try made == ["out/undated/1.jpg": Data("mine".utf8)])
    }

    @Test func `a photo whose movie comes later gets the name of a motion photo`() async throws {
        try add(photo: "1.jpg", day: 1)
        try await run { $0.form = .android }
        try add(movie: "1.mp4", day: 1)
        #expect(try await run { $0.form = .android } == ["in/1.jpg in/1.mp4: made out/2025/09/1.MP.jpg"])
        #expect(try made.keys.sorted() == ["out/2025/09/1.MP.jpg"])
    }

    @Test func `with hard links, only what needs a change takes space`() async throws {
        try add(photo: "alone.jpg", day: 2)
        try add(photo: "linked.JPG", movie: "linked.MP4", day: 3)
        try SamplePair().write(below: root)
        try await run { $0.usesHardLinks = true }
        for (name, data) in try made {
            let attributes = try FileManager.default.attributesOfItem(atPath: temporary.path(name))
            let isLinked = (attributes[.referenceCount] as? NSNumber)?.intValue == 2
            #expect(isLinked == !name.contains("linked"), "\(name), \(data.count) bytes")
        }
        #expect(try made.count == 5)
        _ = try await undo()
        #expect(try temporary.files.keys.filter { $0.hasPrefix("in/") }.count == 5)
    }

    @Test func `with hard links, a photo becomes a Live Photo when its movie comes`() async throws {
        try SamplePair().write(below: root)
        let names = try FileManager.default.contentsOfDirectory(atPath: root.string).sorted()
        let movie = try #require(names.first { $0.uppercased().hasSuffix("MOV") })
        let away = temporary.path.appending("away")
        try FileManager.default.moveItem(atPath: root.appending(movie).string, toPath: away.string)
        try await run { $0.usesHardLinks = true }
        try FileManager.default.moveItem(atPath: away.string, toPath: root.appending(movie).string)
        let lines = try await run { $0.usesHardLinks = true }
        #expect(lines.count == 1 && lines[0].contains(": made "), "\(lines)")
        #expect(try made.count == 2)
        #expect(try await run { $0.usesHardLinks = true }.allSatisfy { $0.contains(": present") })
    }

    @Test func `for Android, a sidecar that adds nothing is taken note of once`() async throws {
        try add(photo: "1.JPG", movie: "1.MP4", day: 1)
        try await run { $0.form = .android }
        try write(Array(Self.sidecar("1.JPG").utf8), to: root.appending("1.JPG.json"))
        try await run { $0.form = .android }
        let before = try made
        #expect(try await run { $0.form = .android }.allSatisfy { $0.contains(": present") })
        #expect(try made == before)
    }

    @Test func `a file that comes to the place of an item during an import is not replaced`() async throws {
        let count = 40
        for number in 1...count { try add(photo: "\(number).jpg", day: nil) }
        let names = (1...count).map { "\($0).jpg" }
        for (index, name) in names.enumerated() {
            // Different contents.
            let file = root.appending(name)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file.string))
            try write(Array(bytes) + [UInt8(index)], to: file)
        }
        try await run()
        for name in names { try write(Array(Self.sidecar(name).utf8), to: root.appending("\(name).json")) }
        var late: String?
        try await options().run([root], to: library) { outcome in
            guard late == nil else { return }
            late = names.last { name in
                !FileManager.default.fileExists(atPath: library.pushing("2024/03").appending(name).string)
            }
            if let late { try write(Array("mine".utf8), to: library.pushing("2024/03").appending(late)) }
        }
        let name = try #require(late)
        #expect(try made["out/2024/03/\(name)"] == Data("mine".utf8))
        #expect(try made["out/undated/\(name)"] != nil)
    }
}
