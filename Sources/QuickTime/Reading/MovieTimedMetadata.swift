import Bytes
import ISOBMFF
package import MediaModel

/// The timed metadata of a movie's pictures, apart from the still time itself, to be written into another movie with the same
/// pictures.
package struct MovieTimedMetadata: Sendable {
    /// A track with samples at times on the other movie's timeline.
    struct Track: Sendable {
        struct Sample: Sendable {
            let time: MediaTime
            let duration: MediaTime
            let bytes: [UInt8]
        }

        /// The content of its sample entry (`mebx`).
        let description: [UInt8]
        /// The types of its references to the video track.
        let references: [FourCC]
        /// At least one, in the order of their times.
        let samples: [Sample]
        let isLivePhotoInfo: Bool
    }

    var tracks: [Track] = []
    /// The values beside the still time, such as the transform from the frame to the photo.
    package var stillValues: [TimedMetadataValue] = []
    /// `meta` of the video track, which is not timed: true of all its pictures, such as the camera's lens; nil without one.
    package var videoTrackMetadata: OpaqueBox?

    /// None.
    package init() {}

    /// The metadata of a part of a movie. Tracks that cannot be read are left out, and so are values of the still time
    /// without a key.
    ///
    /// - Parameters:
    ///   - start: on the movie's timeline; time 0 of the other movie.
    ///   - end: on the movie's timeline.
    /// - Throws: `Errno` of pread(2).
    package init(_ reader: MovieReader, from start: MediaTime, to end: MediaTime) throws {
        self.init(videoTrackOf: reader)
        var room = MovieLimits.timedMetadata
        for track in reader.tracks where track.kind == .metadata {
            do {
                let descriptions = track.box.media.information.sampleTable.descriptions.entries
                let keys = try track.metadataKeys()
                guard let entry = descriptions.first, descriptions.count == 1, !keys.isEmpty,
                    !keys.contains(where: { $0.key == .stillImageTime })
                else { continue }
                let samples = try Self.samples(of: track, in: reader, start..<end, &room)
                guard !samples.isEmpty else { continue }
                let references = track.box.references?.references.map(\.type) ?? []
                tracks.append(
                    Track(
                        description: entry.payload, references: references, samples: samples,
                        isLivePhotoInfo: keys.contains { $0.key == .livePhotoInfo }))
            } catch is ParseError {
                continue
            }
        }
        do {
            stillValues = try reader.stillImageTime()?.otherValues.filter { $0.key != nil && $0.dataType != nil } ?? []
        } catch is ParseError {
            stillValues = []
        }
    }

    /// Only what is true of all pictures of a movie, whatever becomes of them.
    package init(videoTrackOf reader: MovieReader) {
        videoTrackMetadata = reader.shownVideo?.box.others.first { $0.type == MetadataBox.type }
    }

    /// - Parameter room: the bytes that may still be read.
    private static func samples(
        of track: QuickTime.Track, in reader: MovieReader, _ part: Range<MediaTime>, _ room: inout Int
    ) throws -> [Track.Sample] {
        var samples: [Track.Sample] = []
        for sample in try track.samples() {
            let (start, end) = (sample.presentationTime, sample.presentationTime + sample.duration)
            guard sample.isShown, start < part.upperBound, end > part.lowerBound else { continue }
            room -= sample.size
            guard room >= 0, sample.size > 0 else { return [] }
            let shownStart = max(start, part.lowerBound)
            samples.append(
                Track.Sample(
                    time: shownStart - part.lowerBound, duration: min(end, part.upperBound) - shownStart,
                    bytes: try reader.bytes(of: sample)))
        }
        return samples.sorted { $0.time < $1.time }
    }
}
