package import Bytes
package import MediaModel

/// One track of a movie.
package struct Track: Sendable {
    package enum Kind: Sendable, Hashable {
        case video, audio
        /// Timed metadata.
        case metadata
        /// Another handler: `tmcd`, `text`, `sbtl`, …
        case other(FourCC)
    }

    /// The properties of the movie that a track needs.
    struct Context: Sendable {
        let movieTimescale: Int32
        let fileSize: Int
        let movieBoxOffset: Int
        let fragments: MovieFragments
    }

    package let box: TrackBox
    private let context: Context

    init(box: TrackBox, context: Context) {
        self.box = box
        self.context = context
    }

    /// A track with another description.
    func replacing(_ box: TrackBox) -> Track { Track(box: box, context: context) }

    package var id: UInt32 { box.header.trackID }
    package var isEnabled: Bool { box.header.flags.contains(.enabled) }

    package var kind: Kind {
        switch box.media.handler.subtype {
        case HandlerBox.video.subtype: .video
        case HandlerBox.sound.subtype: .audio
        case HandlerBox.timedMetadata.subtype: .metadata
        default: .other(box.media.handler.subtype)
        }
    }

    /// Ticks a second of the media.
    ///
    /// - Throws: `.invalidValue` for 0 and for more than 31 bits.
    package var timescale: Int32 {
        get throws(ParseError) {
            guard let timescale = Int32(exactly: box.media.header.timescale), timescale > 0 else {
                throw error(.invalidValue, in: MediaHeaderBox.type, expected: "a timescale of at least 1")
            }
            return timescale
        }
    }

    /// The duration in `tkhd`, on the movie's timescale; nil if it is unknown.
    package var duration: MediaTime? {
        box.header.duration.flatMap { Int64(exactly: $0) }.map {
            MediaTime(value: $0, timescale: context.movieTimescale)
        }
    }

    /// Keys and values of `trak/meta`, such as the lens; none if it cannot be read.
    package var metadata: [MetadataItem] {
        guard var reader = box.others.first(where: { $0.type == MetadataBox.type })?.reader else { return [] }
        return (try? MetadataBox(from: &reader))?.items ?? []
    }

    /// The mapping of the media to the movie's timeline.
    package func timeline() throws(ParseError) -> TrackTimeline {
        try TrackTimeline(of: self, movieTimescale: context.movieTimescale)
    }

    /// The samples in decode order, created lazily.
    ///
    /// - Throws: if the tables contradict each other, or claim more than the file can hold.
    package func samples() throws(ParseError) -> SampleSequence {
        try SampleSequence(of: self, fileSize: context.fileSize)
    }

    /// The samples that movie fragments add to those in `moov`.
    ///
    /// - Throws: if a fragment cannot be read.
    func fragmentRuns() throws(ParseError) -> [TrackRun] {
        if let problem = context.fragments.problem { throw problem }
        return context.fragments.runs[id] ?? []
    }

    func error(_ code: ParseError.Code, in type: FourCC, expected: String) -> ParseError {
        ParseError(code, in: "\(type) of track \(id)", at: context.movieBoxOffset, expected: expected)
    }
}
