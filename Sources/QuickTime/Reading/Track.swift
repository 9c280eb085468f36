package import Bytes
package import MediaModel

/// One track of a movie that is read: its `trak`, and what follows from it.
package struct Track: Sendable {
    package enum Kind: Sendable, Hashable {
        case video, audio
        /// Timed metadata.
        case metadata
        /// Another handler: `tmcd`, `text`, `sbtl`, …
        case other(FourCC)
    }

    /// What a track has to know of the movie around it.
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
    /// - Throws: `.invalidValue` for 0 and for what 31 bits do not hold.
    package var timescale: Int32 {
        get throws(ParseError) {
            guard let timescale = Int32(exactly: box.media.header.timescale), timescale > 0 else {
                throw error(.invalidValue, in: MediaHeaderBox.type, expected: "a timescale of at least 1")
            }
            return timescale
        }
    }

    /// The length that `tkhd` says, on the movie's timescale; nil where it says none.
    package var duration: MediaTime? {
        box.header.duration.flatMap { Int64(exactly: $0) }.map {
            MediaTime(value: $0, timescale: context.movieTimescale)
        }
    }

    /// Keys and values of `trak/meta`, such as the lens; none where it cannot be read.
    package var metadata: [MetadataItem] {
        guard var reader = box.others.first(where: { $0.type == MetadataBox.type })?.reader else { return [] }
        return (try? MetadataBox(from: &reader))?.items ?? []
    }

    /// How the media lies on the movie's timeline.
    package func timeline() throws(ParseError) -> TrackTimeline {
        try TrackTimeline(of: self, movieTimescale: context.movieTimescale)
    }

    /// The samples in decode order, made as they are asked for.
    ///
    /// - Throws: when the tables contradict each other, or claim what the file cannot hold.
    package func samples() throws(ParseError) -> SampleSequence {
        try SampleSequence(of: self, fileSize: context.fileSize)
    }

    /// What movie fragments add to the samples of `moov`.
    ///
    /// - Throws: when a fragment cannot be read.
    func fragmentRuns() throws(ParseError) -> [TrackRun] {
        if let problem = context.fragments.problem { throw problem }
        return context.fragments.runs[id] ?? []
    }

    func error(_ code: ParseError.Code, in type: FourCC, expected: String) -> ParseError {
        ParseError(code, in: "\(type) of track \(id)", at: context.movieBoxOffset, expected: expected)
    }
}
