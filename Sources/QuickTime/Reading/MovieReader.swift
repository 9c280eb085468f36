package import Bytes
package import ISOBMFF
package import MediaModel

/// Reads a QuickTime or MP4 movie: the headers of its top-level boxes, `moov`, and requested samples.
///
/// Like players, it accepts a movie without `ftyp`, `moov` before or after the media, 64-bit sizes, a last box of size 0,
/// and bytes after `moov` that are not a box. A damaged track does not affect others (`MovieBox.unreadableBoxes`).
package struct MovieReader: Sendable {
    package let file: InputFile
    /// The boxes at the top level, in order, up to the first bytes that are not a box.
    package let boxes: [BoxLocation]
    /// Nil if there is no `ftyp`, or it cannot be read.
    package let fileType: FileTypeBox?
    package let movie: MovieBox
    let movieLocation: BoxLocation
    /// The structure of a `ParseError` about the whole file.
    package static let structure = "movie"
    /// A description that replaces the one in the file.
    let replacement: OpaqueBox?
    package let tracks: [Track]

    /// - Throws: `ParseError` when the file is no movie or a damaged one; `FileChanged` when another program has changed it
    ///   since it was opened; `Errno` of pread(2).
    package init(_ file: InputFile) throws {
        do {
            try self.init(reading: file)
        } catch let error as ParseError {
            // A movie that is being changed in place may look damaged.
            try file.checkUnchanged()
            throw error
        }
    }

    private init(reading file: InputFile) throws {
        self.file = file
        boxes = try Self.boxes(of: file)
        guard let movieLocation = boxes.first(where: { $0.type == MovieBox.type }) else {
            let isCutOff = boxes.areCutOffMovie
            throw ParseError(
                isCutOff ? .truncated : .missing, in: Self.structure, at: file.size,
                expected: "a box of type \(MovieBox.type)\(isCutOff ? "; copy the file again" : "")")
        }
        self.movieLocation = movieLocation
        replacement = nil
        movie = try Self.read(movieLocation, of: file)
        guard movie.tracks.count <= MovieLimits.tracks else {
            throw ParseError(
                .overLimit, in: "\(MovieBox.type)", at: movieLocation.offset,
                expected: "at most \(MovieLimits.tracks) tracks, found \(movie.tracks.count)")
        }
        do {
            fileType = try boxes.first { $0.type == FileTypeBox.type }.map { try Self.read($0, of: file) }
        } catch is ParseError {
            fileType = nil
        }
        guard let timescale = Int32(exactly: movie.header.timescale), timescale > 0 else {
            throw ParseError(
                .invalidValue, in: "\(MovieHeaderBox.type)", at: movieLocation.offset,
                expected: "a timescale of at least 1")
        }
        let context = Track.Context(
            movieTimescale: timescale, fileSize: file.size, movieBoxOffset: movieLocation.offset,
            fragments: try Self.fragments(of: movie, boxes: boxes, in: file))
        tracks = movie.tracks.map { Track(box: $0, context: context) }
    }

    /// The same file with another description of its media.
    ///
    /// - Parameter box: a `moov` without fragments.
    /// - Throws: `ParseError` if it cannot be read.
    func replacingMovie(by box: OpaqueBox) throws(ParseError) -> MovieReader {
        try MovieReader(self, box)
    }

    private init(_ reader: MovieReader, _ box: OpaqueBox) throws(ParseError) {
        (file, boxes, fileType) = (reader.file, reader.boxes, reader.fileType)
        (movieLocation, replacement) = (reader.movieLocation, box)
        var payload = box.reader
        movie = try MovieBox(from: &payload)
        let context = Track.Context(
            movieTimescale: Int32(clamping: max(movie.header.timescale, 1)), fileSize: file.size,
            movieBoxOffset: movieLocation.offset, fragments: MovieFragments(of: movie, fileSize: file.size))
        tracks = movie.tracks.map { Track(box: $0, context: context) }
    }

    /// Keys and values of `moov/meta`.
    package var metadata: [MetadataItem] { movie.metadata?.items ?? [] }

    /// The identifier that links the movie to its key photo, spelled as in the file.
    package var contentIdentifier: FileText? { metadata.contentIdentifier }

    /// The bytes of one sample.
    ///
    /// - Throws: `ParseError` if the file ends before; `Errno` of pread(2).
    package func bytes(of sample: Sample) throws -> [UInt8] {
        guard sample.size <= MovieLimits.sampleSize else {
            throw ParseError(
                .overLimit, in: "sample", at: sample.offset, expected: "at most \(MovieLimits.sampleSize) bytes")
        }
        let bytes = try file.bytes(at: sample.offset, count: sample.size)
        guard bytes.count == sample.size else {
            throw ParseError(
                .truncated, in: "sample", at: sample.offset, expected: "\(sample.size) bytes, found \(bytes.count)")
        }
        return bytes
    }

    /// Whether samples are, or could be, in fragments after `moov`, which then states no durations.
    package var isFragmented: Bool {
        MovieFragments.areAnnounced(in: movie) || boxes.contains { $0.type == MovieFragments.boxType }
    }

    /// Reads all complete fragments: an interrupted recording ends within one.
    private static func fragments(
        of movie: MovieBox, boxes: [BoxLocation], in file: InputFile
    ) throws -> MovieFragments {
        var fragments = MovieFragments(of: movie, fileSize: file.size)
        var room = MovieLimits.movieBoxSize
        for box in boxes where box.type == MovieFragments.boxType && !box.isCutOff {
            room -= min(room, box.payloadSize)
            guard room > 0 else {
                throw ParseError(
                    .overLimit, in: "\(box.type)", at: box.offset,
                    expected: "at most \(MovieLimits.movieBoxSize) bytes of fragments")
            }
            fragments.add(try box.read(from: file, limit: MovieLimits.movieBoxSize))
        }
        return fragments
    }

    /// The boxes of a file up to its end, or to the first bytes that are not a box. The last one may be cut off.
    ///
    /// - Throws: `ParseError` for more boxes than a movie can have; `Errno` of pread(2).
    static func boxes(of file: InputFile) throws -> [BoxLocation] {
        let limit = MovieLimits.topLevelBoxes
        let boxes = try BoxLocation.all(in: 0..<file.size, limit: limit + 1, read: file.bytes(at:count:))
        guard boxes.count <= limit else {
            throw ParseError(
                .overLimit, in: Self.structure, at: boxes[limit].offset, expected: "at most \(limit) boxes")
        }
        return boxes
    }

    /// Whether a file is a movie that ends before its description, which phones write last.
    package static func isCutOff(_ file: InputFile) -> Bool { (try? boxes(of: file))?.areCutOffMovie == true }

    private static func read<Value: Box>(_ box: BoxLocation, of file: InputFile) throws -> Value {
        let content = try box.read(from: file, limit: MovieLimits.movieBoxSize)
        guard !box.isCutOff else {
            throw ParseError(
                .truncated, in: "\(box.type)", at: box.offset, expected: "\(box.payloadSize) bytes of content")
        }
        return try content.read()
    }
}

extension [BoxLocation] {
    fileprivate var areCutOffMovie: Bool {
        first?.type == FileTypeBox.type && last?.isCutOff == true && !contains { $0.type == MovieBox.type }
    }
}
