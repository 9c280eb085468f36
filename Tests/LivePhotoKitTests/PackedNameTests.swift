import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import SystemPackage
import TestSupport
import Testing

/// Files of any name that a disk can hold, packed and extracted again.
@Suite struct PackedNameTests {
    struct Name: Sendable, CustomStringConvertible {
        let bytes: [UInt8]
        var description: String { quoted(FileText(bytes)) }
    }

    /// Names without extensions.
    private static let names: [Name] =
        ([
            "IMG_1", ".hidden", "..", "..a", "a\\b", "\\", "a:b", "a\u{1}\n\u{1B}[1mb", "\u{202E}gpj.a", " a ", "a.",
            "-a", "__MACOSX", "a.jpg", "a.heic", "a.MP", "*?\"<>|", "a/".replacing("/", with: "%2F"), "~", "$(a)`b`",
            String(repeating: "a", count: 251), String(repeating: ".", count: 251),
            String(repeating: "\u{E9}", count: 125), String(repeating: "\u{301}\u{323}", count: 60),
            String(repeating: "\u{1F1E6}", count: 62),
        ].map { Array($0.utf8) } + [[0x61, 0xFF, 0xFE], [0xFF], [UInt8](repeating: 0xC3, count: 251), [0x2E, 0x80]])
        .map(Name.init)

    @Test(arguments: sampled(combined(names, [PairContainer.Format.livp, .pvtZip, .pvt, .motionPhoto]), every: 5))
    func `a pair of any name that is packed can be extracted`(name: Name, format: PairContainer.Format) async throws {
        let temporary = try TemporaryFolder()
        let pair = try SamplePair()
        func path(_ ending: String) throws -> FilePath {
            let bytes = (name.bytes + Array(ending.utf8)).map { CInterop.PlatformChar(bitPattern: $0) } + [0]
            return temporary.path.appending(try #require(FilePath.Component(platformString: bytes)))
        }
        let (photo, movie) = (try path(".jpg"), try path(".mov"))
        try OutputFile.write(photo) { try $0.write(pair.photo) }
        try OutputFile.write(movie) { try $0.write(pair.movie) }
        let (packed, out) = (temporary.path.appending("packed"), temporary.path.appending("out"))
        try FileManager.default.createDirectory(atPath: packed.string, withIntermediateDirectories: false)

        let outcome = PairTransfer().pack(photo: photo, movie: movie, as: format, to: packed)
        guard case .made = outcome.state, let container = outcome.container else {
            Issue.record("not packed: \(outcome.state)")
            return
        }
        var extracted: [PairTransfer.Outcome] = []
        try await PairTransfer(width: 1).extract([container], to: out) { extracted.append($0) }
        let found = try #require(extracted.first)
        guard case .made = found.state, let photo = found.photo, let movie = found.movie else {
            Issue.record("not extracted: \(found.state)")
            return
        }
        #expect(try LivePhotoVerifier().verify(photo: photo, movie: movie).contentIdentifier == SamplePair.identifier)
        if format != .motionPhoto { #expect(try InputFile(photo).contents(limit: 1 << 20) == pair.photo) }
        // What is in an archive is an ordinary name.
        let names = try [photo, movie].map { try #require($0.lastComponent) }
        #expect(photo.removingLastComponent() == out)
        if format != .motionPhoto {
            #expect(
                names.allSatisfy { !$0.string.hasPrefix(".") && !$0.string.unicodeScalars.contains(where: isControl) })
        }
    }
}
