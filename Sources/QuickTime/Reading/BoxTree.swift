package import ISOBMFF

/// A box as it stands in a file.
package struct BoxNode: Sendable, Hashable {
    package let type: FourCC
    /// Of its header, from the start of the file.
    package let offset: Int
    package let headerSize: Int
    /// In bytes, header included, as claimed.
    package let size: Int
    /// 0 for a box that is in no other one.
    package let depth: Int
    /// Whether what it is in, or the file, ends before it does.
    package let isCutOff: Bool
    /// What it says, in short: `track 2, 600 ticks`; empty where we do not know, or it is damaged.
    package let annotation: String
}

/// The boxes of a movie or of an HEIF file, outer before inner ones. Only their headers are read, and the beginnings of
/// those that are annotated.
package struct BoxTree: Sendable {
    package private(set) var nodes: [BoxNode] = []
    /// Whether there are more boxes, or deeper ones, than are listed.
    package private(set) var isAbridged = false

    private let file: InputFile
    private var annotator = BoxAnnotator()

    /// Lists the boxes up to the end of the file, or to what is no box.
    ///
    /// - Throws: `Errno` of pread(2).
    package init(of file: InputFile) throws {
        self.file = file
        try list(0..<file.size, path: [])
    }

    /// - Parameter path: the types of the boxes around, the outermost first.
    private mutating func list(_ range: Range<Int>, path: [FourCC]) throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            // Zeros end a list.
            guard let box = try BoxLocation(at: offset, end: range.upperBound, read: file.bytes(at:count:)),
                !box.isOpenEnded || box.type.rawValue != 0
            else { return }
            guard nodes.count < MovieLimits.listedBoxes, path.count < MovieLimits.boxDepth else {
                isAbridged = true
                return
            }
            try add(box, path: path)
            offset = box.range.upperBound
        }
    }

    private mutating func add(_ box: BoxLocation, path: [FourCC]) throws {
        let payload = box.payload
        let content = BoxContent(of: box.type, in: path, handler: annotator.handler)
        var annotation = ""
        var children: Int?
        if content != .unknown {
            let count = min(payload.count, MovieLimits.annotatedBytes)
            let bytes = try file.bytes(at: payload.lowerBound, count: count)
            let reader = ByteReader(bytes, structure: box.type.description, fileOffset: payload.lowerBound)
            annotation = annotator.annotation(of: ChildBox(box.header, reader), in: path)
            children = content.childrenOffset(in: reader)
        }
        nodes.append(
            BoxNode(
                type: box.type, offset: box.offset, headerSize: box.header.size,
                size: box.header.size + box.payloadSize, depth: path.count, isCutOff: box.isCutOff,
                annotation: annotation))
        guard let children, children < payload.count else { return }
        try list(payload.dropFirst(children), path: path + [box.type])
    }
}

/// What is in a box, as far as it has to be known to find the boxes in it.
enum BoxContent: Equatable {
    /// Nothing that we look at.
    case unknown
    /// Fields of its own.
    case fields
    /// Boxes, after so many bytes.
    case boxes(after: Int)
    /// Boxes, with version and flags before them only in ISO's form.
    case metadata
    /// Boxes after the count of items, whose width the version says.
    case items
    /// Boxes after the fields of a sound description, whose length its version says.
    case sound

    /// - Parameters:
    ///   - path: the types of the boxes around, the outermost first.
    ///   - handler: what kind of media the track is of whose boxes are read.
    init(of type: FourCC, in path: [FourCC], handler: FourCC?) {
        let parent = path.last
        if parent == SampleDescriptionBox.type {
            self = Self.sampleEntry(type, handler: handler)
        } else if path.contains(TimedMetadataSampleEntry.type) {
            self = Self.timedMetadata(type, parent: parent)
        } else if parent == MetadataItemListBox.type {
            self = .boxes(after: 0)
        } else if parent == TrackReferenceBox.type {
            self = .fields
        } else {
            self = Self.fixed[type] ?? (BoxAnnotator.isKnown(type) ? .fields : .unknown)
        }
    }

    private static func sampleEntry(_ type: FourCC, handler: FourCC?) -> BoxContent {
        switch (type, handler) {
        case (TimedMetadataSampleEntry.type, _): .boxes(after: 8)
        case (_, HandlerBox.video.subtype): .boxes(after: 78)
        case (_, HandlerBox.sound.subtype): .sound
        default: .fields
        }
    }

    /// In `mebx`: the table of keys, the keys, and what may be in them (QuickTime File Format, "Timed metadata").
    private static func timedMetadata(_ type: FourCC, parent: FourCC?) -> BoxContent {
        switch (type, parent) {
        case ("keyd", _), ("dtyp", _): .fields
        case ("keys", TimedMetadataSampleEntry.type), (_, "keys"), ("setu", _), ("sdpd", _), ("ctps", _):
            .boxes(after: 0)
        default: .unknown
        }
    }

    private static let fixed: [FourCC: BoxContent] = [
        "moov": .boxes(after: 0), "trak": .boxes(after: 0), "mdia": .boxes(after: 0), "minf": .boxes(after: 0),
        "stbl": .boxes(after: 0), "edts": .boxes(after: 0), "dinf": .boxes(after: 0), "tapt": .boxes(after: 0),
        "tref": .boxes(after: 0), "gmhd": .boxes(after: 0), "udta": .boxes(after: 0), "ilst": .boxes(after: 0),
        "mvex": .boxes(after: 0), "moof": .boxes(after: 0), "traf": .boxes(after: 0), "mfra": .boxes(after: 0),
        "wave": .boxes(after: 0), "sinf": .boxes(after: 0), "schi": .boxes(after: 0), "cmov": .boxes(after: 0),
        "iprp": .boxes(after: 0), "ipco": .boxes(after: 0), "grpl": .boxes(after: 0),
        // A movie appended to a photo as one box.
        "mpvd": .boxes(after: 0),
        "stsd": .boxes(after: 8), "dref": .boxes(after: 8), "iref": .boxes(after: 4), "meta": .metadata,
        "iinf": .items,
    ]

    /// Where in the payload the boxes begin; nil where there are none.
    ///
    /// - Parameter payload: its beginning.
    func childrenOffset(in payload: ByteReader) -> Int? {
        var payload = payload
        switch self {
        case .unknown, .fields: return nil
        case .boxes(let offset): return offset
        case .metadata: return MetadataBox.form(of: payload) == .iso ? 4 : 0
        case .items:
            guard let field = try? payload.integer(UInt32.self) else { return nil }
            return field >> 24 == 0 ? 6 : 8
        case .sound:
            guard (try? payload.skip(8)) != nil, let version = try? payload.integer(UInt16.self) else { return nil }
            return version == 1 ? 44 : version == 2 ? 64 : 28
        }
    }
}
