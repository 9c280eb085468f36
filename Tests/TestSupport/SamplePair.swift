import Bytes
import Foundation
import ISOBMFF
import LivePhotoKit
package import MediaModel
package import QuickTime
import StillImage
package import SystemPackage
import Testing

/// A Live Photo that no rule finds fault with, made without an encoder: a JPEG that ends with its headers, and a movie of
/// two seconds whose frames only look like H.264. Tests break it.
package struct SamplePair {
    package static let identifier = "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"
    package static let size = PixelSize(width: 1920, height: 1080)
    package static let frameCount = 30
    /// In ticks of 1/600 s, of a frame.
    package static let frameTicks: Int64 = 40
    /// In ticks.
    package static let stillTime: Int64 = 20 * frameTicks

    package var photo: [UInt8]
    package var movie: [UInt8]
    package var photoName = "IMG_1.JPG"
    package var movieName = "IMG_1.MOV"
    /// Where a second copy of the photo is.
    package var photoCopyName = ""

    /// A copy of one that was made once.
    package init() throws {
        self = try Self.made.get()
    }

    private static let made = Result { try SamplePair(photo: jpeg(size: size), movie: writtenMovie()) }

    private init(photo: [UInt8], movie: [UInt8]) {
        (self.photo, self.movie) = (photo, movie)
    }

    /// A JPEG of this size, as far as its headers say.
    package static func jpeg(size: PixelSize = size, orientation: Orientation = .upright) throws -> [UInt8] {
        let tiff = Exif(orientation: orientation, contentIdentifier: ContentIdentifier(identifier)).tiff
        let exif = Array("Exif\0\0".utf8) + tiff.bytes
        func bytes(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] }
        return [0xFF, 0xD8, 0xFF, 0xE1] + bytes(exif.count + 2) + exif
            + [0xFF, 0xC0, 0, 11, 8] + bytes(size.height) + bytes(size.width) + [1, 1, 0x22, 0]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0, 0xFF, 0xD9]
    }

    /// - Parameters:
    ///   - metadata: the timed metadata beside the still time.
    ///   - items: metadata of the movie beside the content identifier.
    static func writtenMovie(
        frames: Int = frameCount, frameTicks: Int64 = frameTicks, stillFrame: Int64 = 20,
        _ metadata: MovieTimedMetadata = MovieTimedMetadata(), items: [MetadataItem] = []
    ) throws -> [UInt8] {
        // What libx264 writes for 1920x1080, High at level 4.0.
        let parameterSets =
            hex("00000001 67640028acd940780227e5c05a808080a0000003002000000303c1e30632c0") + hex("000001 68eae1bcb0")
        let frame = parameterSets + hex("00000001 65 8899aabbccddeeff")
        let folder = try TemporaryFolder()
        let path = folder.path.appending("movie")
        let format = try VideoFormat(
            .h264, parameterSets: parameterSets.span, size: size, color: .bt709)
        let writer = try MovieWriter(to: OutputFile(creating: path), video: format, audio: nil)
        for number in 0..<frames {
            try writer.appendVideo(annexB: frame.span, presentationTime: ticks(Int64(number) * frameTicks))
        }
        try writer.finish(
            MovieTiming(duration: ticks(Int64(frames) * frameTicks), stillTime: ticks(stillFrame * frameTicks)),
            metadata: [MetadataItem(key: .contentIdentifier, value: .text(FileText(identifier)))] + items,
            timedMetadata: metadata)
        return try InputFile(path).contents(limit: 1 << 20)
    }

    static func ticks(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 600) }

    /// Changes `moov`, which comes last: nothing else moves.
    package mutating func changeMovie(_ change: (inout MovieBox) throws -> Void) throws {
        var reader = ByteReader(movie, structure: "movie")
        var writer = ByteWriter()
        while let child = try reader.nextBox() {
            guard child.type == MovieBox.type else {
                OpaqueBox(child).write(to: &writer)
                continue
            }
            var box = try child.read(MovieBox.self)
            try change(&box)
            writer.box(box)
        }
        movie = writer.bytes
    }

    /// Gives both files another content identifier, as long as the one before.
    package mutating func setIdentifier(_ text: String, from old: String = identifier) throws {
        try Self.replace(old, by: text, in: &photo)
        try Self.replace(old, by: text, in: &movie)
    }

    /// Replaces the first place of a text in one file by a text as long.
    package static func replace(_ text: String, by other: String, in file: inout [UInt8]) throws {
        let range = try #require(file.firstRange(of: Array(text.utf8)))
        try #require(other.utf8.count == range.count)
        file.replaceSubrange(range, with: other.utf8)
    }

    /// Writes both files below a folder; a file without a name stays out. Folders in the names are made.
    package func write(below folder: FilePath) throws {
        for (name, bytes) in [(photoName, photo), (movieName, movie), (photoCopyName, photo)] where !name.isEmpty {
            let path = folder.appending(name)
            try FileManager.default.createDirectory(
                atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(fileURLWithPath: path.string))
        }
    }
}

extension TrackBox {
    /// Changes the first sample description.
    package mutating func changeFormat<Entry: SampleEntry>(
        _: Entry.Type = Entry.self, _ change: (inout Entry) throws -> Void
    ) throws {
        let descriptions = media.information.sampleTable.descriptions
        var entry = try #require(try descriptions.firstEntry(as: Entry.self))
        try change(&entry)
        media.information.sampleTable.descriptions = SampleDescriptionBox(entry)
    }
}

extension SamplePair {
    /// Writes the photo or movie of a name below a folder: with an identifier that ends in this digit, or plain.
    package static func write(_ name: String, identifier digit: Int?, below folder: FilePath) throws {
        var pair = try digit == nil ? plain.get() : SamplePair()
        if let digit { try pair.setIdentifier(String(identifier.dropLast() + "\(digit)")) }
        let isPhoto = [".jpg", ".jpeg"].contains { name.lowercased().hasSuffix($0) }
        (pair.photoName, pair.movieName) = isPhoto ? (name, "") : ("", name)
        try pair.write(below: folder)
    }

    /// A photo and a movie without a link.
    package static let plain = Result {
        let folder = try TemporaryFolder()
        var pair = try SamplePair()
        try pair.write(below: folder.path)
        let (photo, movie) = (folder.path.appending(pair.photoName), folder.path.appending(pair.movieName))
        let out = folder.path.appending("plain")
        try LivePhotoLinker().unlink(
            photo: photo, movie: movie, to: .directory(out, replacesExisting: false))
        pair.photo = try InputFile(out.appending(pair.photoName)).contents(limit: 1 << 20)
        pair.movie = try InputFile(out.appending(pair.movieName)).contents(limit: 1 << 20)
        return pair
    }
}
