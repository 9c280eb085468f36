package import Bytes
import ISOBMFF

/// One box in a `BoxTree`.
package struct BoxNode: Sendable, Hashable {
    package let type: FourCC
    /// The file offset of its header.
    package let offset: Int
    package let headerSize: Int
    /// The claimed size in bytes, including the header.
    package let size: Int
    /// 0 for a top-level box.
    package let depth: Int
    /// Whether its container or the file ends before the box does.
    package let isCutOff: Bool
    /// A short description of its content, such as `track 2, 600 ticks`; empty if it is unknown or damaged.
    package let annotation: String
}

/// The boxes of a movie or an HEIF file, each before the boxes in it. Reads only headers and the beginnings of annotated
/// boxes.
package struct BoxTree: Sendable {
    package private(set) var nodes: [BoxNode] = []
    /// Whether boxes were left out because there are too many or they are nested too deeply.
    package private(set) var isAbridged = false

    private let file: InputFile
    private var annotator = BoxAnnotator()

    /// Lists the boxes up to the end of the file, or to the first bytes that are not a box.
    ///
    /// - Throws: `Errno` of pread(2).
    package init(of file: InputFile) throws {
        self.file = file
        try list(0..<file.size, path: [])
    }

    /// - Parameter path: the types of the enclosing boxes, the outermost first.
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

/// The structure of a payload, as far as needed to find the boxes in it.
enum BoxContent: Equatable {
    /// Content that is not read.
    case unknown
    /// Fields without boxes.
    case fields
    /// Boxes after this number of bytes.
    case boxes(after: Int)
    /// Boxes, after version and flags in ISO's form.
    case metadata
    /// Boxes after the number of items, whose width depends on the version.
    case items
    /// Boxes after the fields of a sound description, whose length depends on its version.
    case sound

    /// - Parameters:
    ///   - path: the types of the enclosing boxes, the outermost first.
    ///   - handler: the media type of the track being read.
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
            self = Self.content(of: type)
        }
    }

    /// The content of a box whose type determines it.
    private static func content(of type: FourCC) -> BoxContent {
        switch type {
        case "stsd", "dref": .boxes(after: 8)
        case "iref": .boxes(after: 4)
        case "meta": .metadata
        case "iinf": .items
        case _ where containers.contains(type): .boxes(after: 0)
        default: BoxAnnotator.knownTypes.contains(type) ? .fields : .unknown
        }
    }

    /// The types of boxes that contain only boxes. `mpvd` is a movie appended to a photo.
    private static let containers: Set<FourCC> = [
        "moov", "trak", "mdia", "minf", "stbl", "edts", "dinf", "tapt", "tref", "gmhd", "udta", "ilst", "mvex", "moof",
        "traf", "mfra", "wave", "sinf", "schi", "cmov", "iprp", "ipco", "grpl", "mpvd",
    ]

    private static func sampleEntry(_ type: FourCC, handler: FourCC?) -> BoxContent {
        switch (type, handler) {
        case (TimedMetadataSampleEntry.type, _): .boxes(after: 8)
        case (_, HandlerBox.video.subtype): .boxes(after: VisualSampleEntry.fieldsSize)
        case (_, HandlerBox.sound.subtype): .sound
        default: .fields
        }
    }

    /// The boxes in `mebx`: the table of keys, the keys and their boxes (QuickTime File Format, "Timed metadata").
    private static func timedMetadata(_ type: FourCC, parent: FourCC?) -> BoxContent {
        switch (type, parent) {
        case ("keyd", _), ("dtyp", _): .fields
        case ("keys", TimedMetadataSampleEntry.type), (_, "keys"), ("setu", _), ("sdpd", _), ("ctps", _):
            .boxes(after: 0)
        default: .unknown
        }
    }

    /// The offset of the boxes in the payload; nil if there are none.
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
            return AudioSampleEntry.fieldsSize + (version == 1 ? 16 : version == 2 ? 36 : 0)
        }
    }
}
