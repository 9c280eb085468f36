import Bytes
import LivePhotoKit
import MediaModel
import SystemPackage
import TestSupport

extension FuzzedReader {
    static let zip = FuzzedReader(
        sources: ["LivePhotoKit/Bundles/ZipDirectory", "LivePhotoKit/Bundles/ZipLayout.swift", "Bytes/Inflater.swift"],
        form: .zip, words: ["PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "PK\u{6}\u{6}", "PK\u{6}\u{7}"],
        samples: {
            [
                zipArchive([("IMG_1.JPG", Array("photo".utf8)), ("IMG_1.MOV", Array("movie".utf8))]), zipArchive([]),
                deflatedArchive,
            ]
        },
        describe: describeZip, run: exerciseZip)

    static let containers = FuzzedReader(
        sources: [
            "LivePhotoKit/Bundles/PairContainer", "LivePhotoKit/Bundles/PairNames.swift",
            "LivePhotoKit/Bundles/StoredPart.swift",
        ],
        form: .zip, words: [".JPG", ".HEIC", ".MOV", ".pvt/", "__MACOSX/", ".mp4"],
        samples: {
            let pair = try SamplePair()
            return [
                zipArchive([("IMG_1.JPG", pair.photo), ("IMG_1.MOV", pair.movie)]),
                zipArchive([("a.pvt/", []), ("a.pvt/a.HEIC", DevicePair.photo), ("a.pvt/a.MOV", DevicePair.movie)]),
            ] + jpegSamples() + heifSamples()
        },
        run: { bytes in
            let path = scratchPath(bytes)
            _ = PairContainer.bundles(in: path)
            guard let container = try? PairContainer(path) else { return }
            let names = [container.photoName, container.movieName]
            Fuzzing.expect(
                names.allSatisfy { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "/")) }, "a name is \(names)")
            _ = try? container.publishedPhotoExtension()
            _ = try? container.copies(in: "/dev/shm")
        })

    static let animations = FuzzedReader(
        sources: ["LivePhotoKit/Export/ExportedFacts", "LivePhotoKit/Export/FileCursor.swift"],
        words: ["GIF89a", "NETSCAPE2.0", "RIFF", "WEBP", "VP8X", "ANIM", "ANMF", "VP8 ", "\u{0}\u{0};"],
        samples: { [sampleGIF, sampleWebP] + (try movieSamples()).prefix(1) },
        run: { bytes in
            let file = scratchFile(bytes)
            let kind: ExportedFacts.Kind =
                bytes.starts(with: "GIF".utf8)
                ? .gif : bytes.starts(with: "RIFF".utf8) ? .webP : bytes.starts(with: [0xFF, 0xD8]) ? .jpeg : .movie
            guard let facts = try? ExportedFacts(of: file, as: kind) else { return }
            Fuzzing.expect(facts.frames >= 0 && facts.duration >= .zero, "an export has \(facts.frames) frames")
            if kind == .webP { _ = facts.endOfWebP(at: MediaTime(value: 1, timescale: 1)) }
        })

    /// Two frames of one pixel, 0.1 s each.
    static let sampleGIF = hex(
        """
        474946383961 0100 0100 80 00 00 000000 ffffff  ; GIF89a, 1x1, two colours
        21ff0b 4e45545343415045322e30 0301000000  ; plays forever
        21f904 00 0a00 00 00 2c 0000 0000 0100 0100 00 02 02 4401 00
        21f904 00 0a00 00 00 2c 0000 0000 0100 0100 00 02 02 4c01 00 3b
        """)

    static let sampleWebP =
        Array("RIFF".utf8) + little(80) + Array("WEBPVP8X".utf8) + little(10) + [2, 0, 0, 0] + little(0, 3)
        + little(0, 3)
        + Array("ANIM".utf8) + little(6) + [0, 0, 0, 0, 0, 0] + Array("ANMF".utf8) + little(34) + little(0, 12)
        + little(100, 3) + [0] + Array("VP8L".utf8) + little(10) + hex("2f 0000000710111188 88")
}

/// The entries can be unpacked, and written again.
private func exerciseZip(_ bytes: [UInt8]) {
    let file = scratchFile(bytes)
    guard let directory = try? ZipDirectory(file) else { return }
    var contents: [(name: FileText, bytes: [UInt8])] = []
    for entry in directory.entries.prefix(8) {
        var unpacked: [UInt8] = []
        do {
            try entry.forEach(in: file) { unpacked += $0 }
        } catch {
            continue
        }
        Fuzzing.expect(unpacked.count == entry.size, "\(unpacked.count) of \(entry.size) bytes are unpacked")
        let range = Fuzzing.must("the place of an entry") { try entry.dataRange(in: file) }
        Fuzzing.expect(range.lowerBound >= 0 && range.upperBound <= bytes.count, "an entry is outside of the file")
        contents.append((entry.name, unpacked))
    }
    Fuzzing.must("an archive that was written cannot be read") {
        let archive = zipArchive(contents)
        let written = scratchFile(archive, place: 1)
        let entries = try ZipDirectory(written).entries
        Fuzzing.expect(entries.map(\.name) == contents.map(\.name), "an archive has other names")
        for (entry, content) in zip(entries, contents) {
            var unpacked: [UInt8] = []
            try entry.forEach(in: written) { unpacked += $0 }
            Fuzzing.expect(unpacked == content.bytes, "an archive has other contents")
        }
    }
}

/// An archive as this program writes it.
func zipArchive(_ files: [(name: FileText, bytes: [UInt8])]) -> [UInt8] {
    Fuzzing.must("an archive cannot be laid out") {
        let layout = try ZipLayout(files.map { ZipLayout.Entry(name: $0.name, size: $0.bytes.count) })
        let checksums = files.map { CRC32.of($0.bytes) }
        return files.indices.flatMap { layout.header(of: $0, checksum: checksums[$0]) + files[$0].bytes }
            + layout.end(checksums: checksums)
    }
}

/// The names, sizes and checksums of what can be unpacked.
private func describeZip(_ bytes: [UInt8]) throws -> String {
    let file = scratchFile(bytes)
    let entries = try ZipDirectory(file).entries.compactMap { entry -> [String]? in
        var checksum = CRC32()
        guard (try? entry.forEach(in: file) { checksum.update($0) }) != nil else { return nil }
        return [entry.name.string(limit: .max), "\(entry.size)", "\(checksum.value)"]
    }
    return try JSON.text(entries)
}

/// Two files of "hello, " nine times, deflated.
private let deflatedArchive = hex(
    """
    504b030414000000080000002100a72580340c0000003f00000005000000612e4a5047cb48cdc9c9d751c820930200504b03
    0414000000080000002100a72580340c0000003f00000005000000612e4d4f56cb48cdc9c9d751c820930200504b01021403
    14000000080000002100a72580340c0000003f000000050000000000000000000000800100000000612e4a5047504b010214
    0314000000080000002100a72580340c0000003f00000005000000000000000000000080012f000000612e4d4f56504b0506
    0000000002000200660000005e0000000000
    """)
