import Bytes
import Foundation
import ISOBMFF
import MediaModel
import QuickTime
import TestSupport
import Testing

/// How a movie is laid out in its file.
struct Container: Sendable, CustomTestStringConvertible {
    var isISO = false
    var isMovieFirst = false
    /// 64-bit sizes and chunk offsets.
    var isLong = false
    /// The last box, which is that of the media, says no size.
    var isOpenEnded = false
    var hasFileType = true
    /// Ticks a second of the movie, and of the video.
    var movieTimescale: UInt32 = 600
    var mediaTimescale: UInt32 = 600

    var testDescription: String {
        "\(isISO ? "ISO" : "QuickTime") 1/\(movieTimescale) 1/\(mediaTimescale)"
            + (isMovieFirst ? " moov first" : "") + (isLong ? " long" : "") + (isOpenEnded ? " open" : "")
            + (hasFileType ? "" : " no ftyp")
    }
}

extension TestMovie {
    /// The movie in another container and on other clocks, without the track of the still image time.
    ///
    /// - Parameters:
    ///   - appended: more bytes of media.
    ///   - change: of `moov`, told where `appended` will stand.
    func bytes(
        in container: Container, folder: TemporaryFolder, appended: [UInt8] = [],
        _ change: (inout MovieBox, UInt64) throws -> Void = { _, _ in }
    ) throws -> [UInt8] {
        let file = try write(in: folder, UUID().uuidString)
        let reader = try MovieReader(file)
        var movie = reader.movie
        movie.tracks.removeAll { $0.media.handler.subtype == "meta" }
        movie.header.nextTrackID = UInt32(movie.tracks.count + 1)
        Self.changeClocks(of: &movie, to: container)
        if container.isISO { for index in movie.tracks.indices { try Self.makeISO(&movie.tracks[index]) } }
        let place = try #require(reader.boxes.first { $0.type == "mdat" })
        let media = try file.bytes(at: place.payload.lowerBound, count: place.payload.count) + appended

        var fileType = ByteWriter()
        if container.hasFileType {
            fileType.box(
                container.isISO
                    ? FileTypeBox(majorBrand: "isom", minorVersion: 512, compatibleBrands: ["isom", "iso2", "avc1"])
                    : .quickTime)
        }
        let header = Self.mediaHeader(size: media.count, container)
        let original = movie
        func movieBytes(mediaOffset: Int) throws -> [UInt8] {
            var movie = original
            for index in movie.tracks.indices {
                let offsets = movie.tracks[index].media.information.sampleTable.chunkOffsets.offsets
                movie.tracks[index].media.information.sampleTable.chunkOffsets.offsets = offsets.map {
                    $0 - UInt64(place.payload.lowerBound) + UInt64(mediaOffset)
                }
            }
            try change(&movie, UInt64(mediaOffset + media.count - appended.count))
            let bytes = QuickTimeTests.bytes(of: movie)
            return container.isLong ? widened(bytes) : bytes
        }
        let size = try container.isMovieFirst ? movieBytes(mediaOffset: 0).count : 0
        let moov = try movieBytes(mediaOffset: fileType.count + size + header.count)
        return fileType.bytes + (container.isMovieFirst ? moov : []) + header + media
            + (container.isMovieFirst ? [] : moov)
    }

    private static func mediaHeader(size: Int, _ container: Container) -> [UInt8] {
        var writer = ByteWriter()
        if container.isLong {
            writer.integer(UInt32(1))
            writer.fourCC("mdat")
            writer.integer(UInt64(size + 16))
        } else {
            writer.integer(container.isOpenEnded ? 0 : UInt32(size + 8))
            writer.fourCC("mdat")
        }
        return writer.bytes
    }

    /// Frames of the same length in ticks of another clock, times in `moov` rounded to it.
    private static func changeClocks(of movie: inout MovieBox, to container: Container) {
        let (old, new) = (UInt64(movie.header.timescale), UInt64(container.movieTimescale))
        movie.header.timescale = container.movieTimescale
        movie.tracks[0].media.header.timescale = container.mediaTimescale
        let ratio = UInt64(container.mediaTimescale) * old
        func rescaled(_ ticks: UInt64) -> UInt64 { ticks * old * new / ratio }
        movie.header.duration = movie.header.duration.map(rescaled)
        for index in movie.tracks.indices {
            movie.tracks[index].header.duration = movie.tracks[index].header.duration.map(rescaled)
            let entries = movie.tracks[index].edit?.list?.entries ?? []
            movie.tracks[index].edit?.list?.entries = entries.map {
                .init(duration: rescaled($0.duration), mediaTime: $0.mediaTime)
            }
        }
    }

    private static func makeISO(_ track: inout TrackBox) throws {
        track.header.flags = [.enabled, .inMovie]
        track.media.handler.componentType = FourCC(rawValue: 0)
        track.media.handler.manufacturer = FourCC(rawValue: 0)
        track.media.handler.nameField = Array("Handler".utf8) + [0]
        track.media.information.dataHandler = nil
        track.media.information.dataInformation?.references?.entries = [.init(type: "url ", flags: 1, data: [])]
        let descriptions = track.media.information.sampleTable.descriptions
        if track.media.handler.subtype == "vide" {
            var entry = try #require(try descriptions.firstEntry(as: VisualSampleEntry.self))
            entry.color = ColorBox(.iso(.bt709))
            track.media.information.sampleTable.descriptions = SampleDescriptionBox(entry)
        } else {
            var entry = try #require(try descriptions.firstEntry(as: AudioSampleEntry.self))
            entry.layout = .version0
            entry.compressionID = 0
            entry.streamDescriptor = entry.wave?.streamDescriptor
            entry.wave = nil
            track.media.information.sampleTable.descriptions = SampleDescriptionBox(entry)
        }
    }
}

/// A box whose `stco` are `co64`.
private func widened(_ bytes: [UInt8]) -> [UInt8] {
    var reader = ByteReader(bytes, structure: "test")
    var writer = ByteWriter()
    while let child = (try? reader.nextBox()) ?? nil {
        var payload = child.payload
        switch child.type {
        case "moov", "trak", "mdia", "minf", "stbl":
            writer.box(child.type) { $0.append(widened(payload.rest())) }
        case "stco":
            let offsets = (try? ChunkOffsetBox(from: &payload).offsets) ?? []
            writer.box("co64") { box in
                box.integer(UInt32(0))
                box.integer(UInt32(offsets.count))
                for offset in offsets { box.integer(offset) }
            }
        default: writer.box(child.type) { $0.append(payload.rest()) }
        }
    }
    return writer.bytes
}

/// The bytes of all samples of video and sound, by track.
func media(of reader: MovieReader) throws -> [[[UInt8]]] {
    try reader.tracks.filter { $0.kind == .video || $0.kind == .audio }.map { track in
        try track.samples().map { try reader.bytes(of: $0) }
    }
}
