import Bytes
import Foundation
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// Metadata of movies of current devices, some of which this program does not know.
@Suite struct DeviceKeyTests {
    private let folder: TemporaryFolder

    private static let items = ["smartstyle", "texturestyle", "subject-relighting-applied-curve-parameter"].map {
        MetadataItem(key: MetadataKey(FileText("com.apple.quicktime.live-photo.\($0)")), value: .float(0.25))
    }
    /// Of the video track.
    private static let lens = MetadataItem(
        key: MetadataKey("com.apple.quicktime.camera.lens_model"), value: .text("iPhone 17 back camera"))

    /// - Note: `beach.JPG` and `beach.MOV`, with more metadata.
    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url)
        var pair = try SamplePair()
        pair.movie = try InputFile(folder.path.appending("beach.MOV")).contents(limit: 1 << 24)
        try pair.changeMovie { movie in
            movie.metadata = MetadataBox(items: (movie.metadata?.items ?? []) + Self.items)
            var lens = ByteWriter()
            MetadataBox(items: [Self.lens]).write(to: &lens)
            movie.tracks[0].others.append(OpaqueBox(type: MetadataBox.type, payload: lens.bytes))
        }
        try Data(pair.movie).write(to: folder.url.appendingPathComponent("beach.MOV"))
    }

    @Test(arguments: [
        "link beach.JPG beach.MOV --output out", "edit beach.JPG --no-audio --output out",
        "edit beach.JPG --exposure 0.5 --output out", "edit beach.JPG --fill 1:1 --output out",
        "pack beach.JPG --as livp --output out/beach.livp",
        "pack beach.JPG --as motion-photo --output out/beach.MP.jpg",
    ])
    func `keys that are not known stay in the movie and its video track`(line: String) throws {
        let outcome = try Program.livephoto(line.split(separator: " ").map(String.init), in: folder.url)
        try #require(outcome.status == 0, "\(outcome.errors)")
        if line.hasPrefix("pack") {
            let packed = try #require(folder.contents.first { $0.hasPrefix("out/beach.") })
            let extracted = try Program.livephoto("extract", packed, "--output", "out", in: folder.url)
            try #require(extracted.status == 0, "\(extracted.errors)")
        }
        let movie = try #require(folder.contents.first { $0.hasPrefix("out/") && $0.hasSuffix(".MOV") })
        let reader = try MovieReader(InputFile(FilePath(folder.path(movie))))
        for item in Self.items { #expect(reader.metadata.contains(item), "\(item.key.name)") }
        let box = try #require(reader.shownVideo?.box.others.first { $0.type == MetadataBox.type })
        var payload = ByteReader(box.payload, structure: "meta")
        #expect(try MetadataBox(from: &payload).items == [Self.lens])
    }
}
