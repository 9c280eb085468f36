package import Bytes
import ISOBMFF
package import MediaModel

/// The location of the movie in a motion photo.
package struct EmbeddedVideo: Hashable, Sendable {
    /// Where the file describes the movie. Many files do so in several places.
    package enum Kind: Hashable, Sendable {
        /// The directory in the XMP of Google's Motion Photo 1.0.
        case motionPhoto
        /// The XMP of Google's earlier MicroVideo.
        case microVideo
        /// The trailer of Samsung's cameras.
        case samsung
        /// The trailer of Huawei's and Honor's cameras.
        case huawei
        /// The box `mpvd` of a HEIF.
        case motionPhotoBox
        /// Nothing describes the movie.
        case undescribed
    }

    package let kind: Kind
    /// The range of the movie in the file; it begins with a box `ftyp`.
    package let range: Range<Int>
    /// The time of the photo in the movie, on a grid of 1/1000000 s; nil if the file does not state it.
    package let presentationTime: MediaTime?
    /// The frame of the movie that the photo shows, counted from 0; nil if the file does not state it.
    package let coverFrame: Int?
    /// What is wrong with the description of a movie that was found by searching; nil if it is right, or there is none.
    package let descriptionFault: ParseError?

    /// Whether the file was searched for it.
    package var isFoundBySearching: Bool { kind == .undescribed || descriptionFault != nil }
}

extension EmbeddedVideo {
    /// Uses the first description that leads to a complete movie. Those next to the movie come before XMP, in which even
    /// cameras write wrong lengths, and which programs that edit the file do not update. If no description is right, the
    /// file is searched.
    ///
    /// - Returns: nil for a photo without a movie.
    /// - Throws: `ParseError` if the file describes a movie that is not there, or the description cannot be read;
    ///   `Errno` of pread(2).
    package init?(_ photo: PhotoReader) throws {
        let xmp = Result { try photo.xmp() }
        var faults: [ParseError] = []
        var kinds: [Kind] = []
        var incomplete: (Kind, Range<Int>)?
        let frame = (try? MovingPhotoTrailer(photo.file))?.coverFrame
        let time = (try? xmp.get()).flatMap(Self.presentationTime)
        for find in [
            Self.inEndTexts, Self.inTrailer, Self.inBox,
            { _ in try xmp.get().flatMap { Self.inDirectory($0, of: photo.file.size) } },
            { _ in (try? xmp.get()).flatMap { Self.inMicroVideo($0, of: photo.file.size) } },
        ] {
            do {
                guard let place = try find(photo) else { continue }
                kinds.append(place.kind)
                let range = try Self.movie(place, in: photo.file)
                if let end = try MovieStructure.end(of: range, in: photo.file) {
                    self.init(
                        kind: place.kind, range: range.lowerBound..<end, presentationTime: time, coverFrame: frame,
                        descriptionFault: nil)
                    return
                }
                incomplete = incomplete ?? (place.kind, range)
            } catch let error as ParseError {
                faults.append(error)
            }
        }
        let kind = kinds.first ?? ((try? xmp.get())?.statesMovie == true ? .motionPhoto : .undescribed)
        if kind != .undescribed || photo.mayEndWithMovie, let range = try photo.searchMovie() {
            self.init(
                kind: kind, range: range, presentationTime: time, coverFrame: frame, descriptionFault: faults.first)
        } else if let (kind, range) = incomplete {
            self.init(kind: kind, range: range, presentationTime: time, coverFrame: frame, descriptionFault: nil)
        } else if let fault = faults.first {
            throw fault
        } else {
            return nil
        }
    }

    private struct Place {
        var kind: Kind
        var name: String
        var offset: Int
        var count: Int
    }

    private static func inEndTexts(_ photo: PhotoReader) throws -> Place? {
        guard let trailer = try MovingPhotoTrailer(photo.file) else { return nil }
        let start = trailer.range.lowerBound - trailer.movieCount
        return Place(kind: .huawei, name: "moving photo trailer", offset: start, count: trailer.movieCount)
    }

    private static func inTrailer(_ photo: PhotoReader) throws -> Place? {
        let records = try SamsungTrailer(photo.file)?.records ?? []
        guard let record = records.first(where: { $0.type == SamsungTrailer.motionPhotoData }) else { return nil }
        let movie = try SamsungTrailer.movie(record, in: photo.file)
        return Place(kind: .samsung, name: "Samsung trailer", offset: movie.offset, count: movie.count)
    }

    private static func inBox(_ photo: PhotoReader) -> Place? {
        guard case .heif(let heif) = photo.container, let box = heif.boxes.first(where: { $0.type == "mpvd" }) else {
            return nil
        }
        return Place(
            kind: .motionPhotoBox, name: "mpvd box", offset: box.payload.lowerBound, count: box.payload.count)
    }

    /// Motion Photo format 1.0, "Media data": the items follow each other, and the last one is at the file's end.
    private static func inDirectory(_ xmp: XMP, of fileSize: Int) -> Place? {
        func field(_ item: XMP.Value, _ name: FileText) -> XMP.Value? { item[XMLNamespace.googleContainerItem, name] }
        func length(_ item: XMP.Value, _ name: FileText) -> Int { Self.length(field(item, name), fileSize) }

        let items = xmp.motionPhotoItems
        guard xmp.camera("MotionPhoto")?.integer != 0,
            let index = items.lastIndex(where: { field($0, "Semantic")?.text == "MotionPhoto" })
        else { return nil }
        let count = length(items[index], "Length")
        let others = items[(index + 1)...].reduce(0) { $0 + length($1, "Length") }
        let padding = items[index...].reduce(0) { $0 + length($1, "Padding") }
        return Place(
            kind: .motionPhoto, name: "Motion Photo directory", offset: fileSize - count - others - padding,
            count: count)
    }

    private static func inMicroVideo(_ xmp: XMP, of fileSize: Int) -> Place? {
        guard xmp.camera("MicroVideo")?.integer != 0, let value = xmp.camera("MicroVideoOffset") else { return nil }
        let count = length(value, fileSize)
        return Place(kind: .microVideo, name: "MicroVideo offset", offset: fileSize - count, count: count)
    }

    /// Lengths beyond the size of the file count as one byte more than that size.
    private static func length(_ value: XMP.Value?, _ fileSize: Int) -> Int {
        min(max(value?.integer ?? 0, 0), fileSize + 1)
    }

    private static func presentationTime(_ xmp: XMP) -> MediaTime? {
        (["MotionPhotoPresentationTimestampUs", "MicroVideoPresentationTimestampUs"] as [FileText]).lazy
            .compactMap { xmp.camera($0)?.integer }
            .first { $0 >= 0 }  // -1 is unknown
            .map { MediaTime(value: Int64($0), timescale: 1_000_000) }
    }

    /// The range of the movie, after a check that there is one.
    private static func movie(_ place: Place, in file: InputFile) throws -> Range<Int> {
        guard place.offset >= 0, place.count > 0, place.offset <= file.size, place.count <= file.size - place.offset
        else {
            throw ParseError(
                .invalidValue, in: place.name, at: max(place.offset, 0),
                expected: "a movie within the file's \(file.size) bytes, found \(place.count) bytes")
        }
        var reader = ByteReader(
            try file.bytes(at: place.offset, count: min(place.count, BoxHeader.longSize)), structure: place.name,
            fileOffset: place.offset)
        guard (try? BoxHeader(from: &reader))?.type == "ftyp" else {
            throw ParseError(
                .missing, in: place.name, at: place.offset, expected: "a movie, which begins with a box ftyp")
        }
        return place.offset..<place.offset + place.count
    }
}

extension XMP {
    /// A property of Google's cameras.
    package func camera(_ name: FileText) -> Value? { self[XMLNamespace.googleCamera, name] }

    /// Whether there is a movie in the file, even if not where.
    package var statesMovie: Bool {
        (["MotionPhoto", "MicroVideo"] as [FileText]).contains { camera($0)?.integer == 1 }
    }

    /// The content identifier that was moved here from Apple's MakerNote.
    package var movedIdentifier: FileText? {
        self[MotionPhotoXMP.identifier.namespace, MotionPhotoXMP.identifier.local]?.text.flatMap {
            $0.bytes.count <= ContentIdentifier.byteCount ? $0 : nil
        }
    }

    /// The parts of a motion photo's file, each with its fields.
    package var motionPhotoItems: [Value] {
        (self[XMLNamespace.googleContainer, "Directory"]?.items ?? []).map { item in
            item[XMLNamespace.googleContainer, "Item"] ?? item
        }
    }
}

extension EmbeddedVideo {
    /// Bytes at the end of the file that are neither the movie nor whole boxes after it, such as the one with Samsung's
    /// record.
    ///
    /// - Throws: `Errno` of pread(2).
    package func bytesBehind(in file: InputFile) throws -> Int {
        let boxes = try BoxLocation.all(in: range.upperBound..<file.size, limit: Self.trailingBoxLimit) {
            try file.bytes(at: $0, count: $1)
        }
        let whole = boxes.prefix { $0.header.payloadSize == $0.payload.count }
        return file.size - (whole.last?.range.upperBound ?? range.upperBound)
    }

    private static let trailingBoxLimit = 64
}
