package import Bytes
package import MediaModel

/// Why a movie cannot be made the paired video of a Live Photo, or a plain movie, without changing its media.
package enum MovieEditError: Error, Hashable, Sendable {
    /// The samples are in fragments, which players of Live Photos do not read.
    case fragmented
    case encrypted(trackID: UInt32)
    /// The samples of a track are in another file.
    case externalMedia(trackID: UInt32)
    case damaged(ParseError)
    /// A sample is outside the boxes that can hold media.
    case misplacedSample(MisplacedSample, trackID: UInt32)
    case noVideo
    /// Readers of motion photos do not play the sound.
    ///
    /// - Parameters:
    ///   - name: the name of the codec for messages.
    ///   - rate: samples a second.
    case unsupportedSound(name: String, rate: Int)
    /// - Parameter name: the name of the codec for messages.
    case unsupportedCodec(name: String)
    /// The codec's parameter sets are neither in the sample description nor in the first key frame.
    case noParameterSets(trackID: UInt32)
    /// The track is shown in several parts, or at another speed, by its edit list.
    case severalEdits(trackID: UInt32)
    /// Several tracks have the same number.
    case duplicateTrack(id: UInt32)
    /// The sizes of the sound's samples are not those in its tables, as in old QuickTime movies.
    case soundWithoutSizes(trackID: UInt32)
    /// Nothing of the video is shown between two times.
    case nothingKept(start: MediaTime, end: MediaTime)
    /// No frame begins at this time.
    case noFrame(at: MediaTime)
    /// `moov` would be larger than any that is read.
    case tooLarge
    /// The last bytes of the file are not a box, so readers would not find appended boxes.
    case trailingBytes(offset: Int)
    /// The last box has no size, and is too large for its 32-bit size field.
    case noRoomForSize(FourCC)
    /// A top-level `meta` holds file offsets of its items, which would move.
    case itemsByPlace(offset: Int)
}

extension MovieEditError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .fragmented: "the movie is fragmented"
        case .encrypted(let trackID): "track \(trackID) of the movie is encrypted"
        case .externalMedia(let trackID): "the media of track \(trackID) are in another file"
        case .damaged(let error): "the movie is damaged: \(error)"
        case .misplacedSample(let sample, let trackID):
            "the movie is damaged: sample \(sample.index) of track \(trackID), \(sample.size) bytes at byte "
                + "\(sample.offset), is not within its media"
        case .noVideo: "the movie has no video"
        case .unsupportedSound(let name, let rate):
            "the movie's sound is \(name) at \(rate) Hz, and phones play AAC-LC at 44100, 48000 or 96000 Hz"
        case .unsupportedCodec(let name): "the movie's video is \(name), and a Live Photo's is H.264 or HEVC"
        case .noParameterSets(let trackID):
            "the parameter sets of track \(trackID) are neither in its description nor in its first key frame"
        case .severalEdits(let trackID):
            "track \(trackID) of the movie is shown in several parts or at another speed (edit list)"
        case .duplicateTrack(let id): "several tracks of the movie have the number \(id)"
        case .soundWithoutSizes(let trackID):
            "the sizes of the sound samples of track \(trackID) are not in the movie's tables"
        case .nothingKept(let start, let end): "no frame of the movie is shown between \(start) and \(end)"
        case .noFrame(let time): "no frame of the movie is shown at \(time)"
        case .tooLarge: "the description of the movie would be larger than any real one"
        case .trailingBytes(let offset):
            "the bytes from \(offset) to the end of the file are not part of the movie; write a copy instead"
        case .noRoomForSize(let type):
            "the last box of the movie, \(type), has no room for its size; write a copy instead"
        case .itemsByPlace(let offset):
            "the box meta at byte \(offset) holds file offsets of other items; change the movie in place instead"
        }
    }
}
