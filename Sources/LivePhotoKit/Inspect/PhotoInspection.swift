import Bytes
import MediaModel
import StillImage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A JPEG, HEIC or AVIF.
public struct PhotoInspection: Sendable, Hashable, Encodable {
    /// The path as given.
    public let file: String
    /// The size of the file in bytes.
    public let fileSize: Int
    /// The format by its content: `JPEG`, `HEIC` or `AVIF`.
    public let format: String
    /// The width of the picture as displayed, in pixels.
    public let width: Int
    /// The height of the picture as displayed, in pixels.
    public let height: Int
    /// The value of Exif's Orientation tag.
    public let orientation: Int
    /// The content identifier as spelled in the file.
    public let contentIdentifier: String?
    /// Why there is no content identifier.
    public let contentIdentifierProblem: String?
    /// When the photo was taken: `2025-10-12T23:36:14+1300`; without the zone if it is unknown.
    public let captureDate: String?
    /// The camera's maker: Exif's Make.
    public let make: String?
    /// The camera's model: Exif's Model.
    public let model: String?
    /// Where the photo was taken: Exif's GPS fields.
    public let location: Location?
    /// The gain map, from which displays of HDR make an HDR picture.
    public let gainMap: GainMap?
    /// The movie in a motion photo.
    public let motion: Motion?
    /// All fields of its Exif data and of Apple's MakerNote.
    public let fields: [Field]
    /// What could not be read, as sentences.
    public let problems: [String]

    /// A place, in degrees and metres.
    public struct Location: Sendable, Hashable, Encodable {
        /// Degrees north of the equator.
        public let latitude: Double
        /// Degrees east of Greenwich.
        public let longitude: Double
        /// Metres above sea level; nil if the photo has none.
        public let altitude: Double?
    }

    /// A picture that says how much brighter an HDR display shows each part of the photo.
    public struct GainMap: Sendable, Hashable, Encodable {
        /// The stored width in pixels.
        public let width: Int
        /// The stored height in pixels.
        public let height: Int
        /// The forms in which the file describes it: `ISO 21496-1`, `Adobe` (Ultra HDR) and `Apple`.
        public let forms: [String]
        /// How many times brighter than the white of SDR the HDR picture gets; nil if the file does not state it.
        public let headroom: Double?
    }

    /// A movie inside the photo's file.
    public struct Motion: Sendable, Hashable, Encodable {
        /// How the file describes it: `Motion Photo`, `MicroVideo`, `Samsung`, `Huawei` or `mpvd`; `undescribed` if it does not.
        public let kind: String
        /// The position of the movie's first byte in the file.
        public let offset: Int
        /// The size of the movie in bytes.
        public let size: Int
        /// The time in the movie at which the photo was taken; nil if unknown.
        public let presentationTime: Double?
        /// The rules for motion photos that the file breaks.
        public let findings: [Finding]
    }

    /// A broken rule.
    public struct Finding: Sendable, Hashable, Encodable {
        /// The rule's name.
        public let rule: String
        /// How serious it is.
        public let severity: Rule.Severity
        /// What was found, as a sentence without a full stop.
        public let message: String
    }

    /// One field of the Exif data.
    public struct Field: Sendable, Hashable, Encodable {
        /// The directory that has the field: `IFD0`, `Exif`, `GPS` or `Apple`.
        public let directory: String
        /// The number of the tag: 271 is Make.
        public let tag: Int
        /// Its name in the Exif standard or exiftool, or its number in hexadecimal: `0x0021`.
        public let name: String
        /// The value as text; long binary data is shortened.
        public let value: String
    }

    init(_ file: InputFile) throws {
        let reader = try PhotoReader(file)
        let metadata = try PhotoMetadata(reader)
        self.file = file.path.string
        fileSize = file.size
        format = metadata.format.name
        width = metadata.displaySize.width
        height = metadata.displaySize.height
        orientation = metadata.orientation.rawValue
        switch metadata.contentIdentifier {
        case .success(let identifier): (contentIdentifier, contentIdentifierProblem) = (identifier.string(), nil)
        case .failure(let why): (contentIdentifier, contentIdentifierProblem) = (nil, "the photo \(why)")
        }
        captureDate = metadata.exif?.captureDate?.iso8601
        make = metadata.exif?.make
        model = metadata.exif?.model
        location = metadata.exif?.location.map {
            Location(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude)
        }
        var problems: [String] = []
        func attempt<Value>(_ read: () throws -> Value?) throws -> Value? {
            do {
                return try read()
            } catch let error as ParseError {
                problems.append("\(error)")
                return nil
            }
        }
        fields = try attempt { try reader.tiff().map { try PhotoField.all(in: $0) } }?.map(Field.init) ?? []
        gainMap = try attempt { try reader.gainMap() }.map(GainMap.init)
        let video = try attempt { try EmbeddedVideo(reader) }
        let report = try video.map { _ in try LivePhotoVerifier().verify(motionPhoto: file.path) }
        motion = video.map { Motion($0, report?.findings ?? []) }
        if let fault = video?.descriptionFault {
            problems.append("the description of the movie is wrong, and it was found by searching: \(fault)")
        }
        _ = try attempt { try reader.xmp() }
        self.problems = problems
    }
}

extension PhotoInspection.GainMap {
    fileprivate init(_ map: GainMapDescription) {
        (width, height) = (map.size.width, map.size.height)
        forms = GainMapDescription.Form.allCases.filter(map.forms.contains).map(\.rawValue)
        // A damaged one may be no number.
        headroom = map.headroom.map { (exp2($0) * 1000).rounded() / 1000 }.flatMap { $0.isFinite ? $0 : nil }
    }
}

extension PhotoInspection.Motion {
    fileprivate init(_ video: EmbeddedVideo, _ findings: [Finding]) {
        self.findings = findings.map {
            PhotoInspection.Finding(rule: $0.rule.id, severity: $0.severity, message: $0.message)
        }
        kind =
            switch video.kind {
            case .motionPhoto: "Motion Photo"
            case .microVideo: "MicroVideo"
            case .samsung: "Samsung"
            case .huawei: "Huawei"
            case .motionPhotoBox: "mpvd"
            case .undescribed: "undescribed"
            }
        offset = video.range.lowerBound
        size = video.range.count
        presentationTime = video.presentationTime?.seconds
    }
}

extension PhotoInspection.Field {
    fileprivate init(_ field: PhotoField) {
        directory =
            switch field.directory {
            case .image: "IFD0"
            case .exif: "Exif"
            case .gps: "GPS"
            case .apple: "Apple"
            }
        tag = Int(field.tag.rawValue)
        name = field.name ?? "0x" + hexadecimal([UInt8(field.tag.rawValue >> 8), UInt8(field.tag.rawValue & 0xFF)])
        switch field.text {
        case .success(let text): value = text
        case .failure(let error): value = "unreadable: \(error)"
        }
    }
}

extension PhotoMetadata.Format {
    var name: String {
        switch self {
        case .jpeg: "JPEG"
        case .heic: "HEIC"
        case .avif: "AVIF"
        }
    }
}
