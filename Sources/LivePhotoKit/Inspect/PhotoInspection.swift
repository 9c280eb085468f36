import Bytes
import MediaModel
import StillImage

/// A photo.
public struct PhotoInspection: Sendable, Hashable, Encodable {
    public let file: String
    public let fileSize: Int
    /// `JPEG`, `HEIC` or `AVIF`, by its content.
    public let format: String
    /// Of the picture as displayed.
    public let width: Int
    public let height: Int
    /// The value of Exif's Orientation tag.
    public let orientation: Int
    /// As spelled in the file.
    public let contentIdentifier: String?
    /// Why there is none.
    public let contentIdentifierProblem: String?
    /// `2025-10-12T23:36:14+1300`; without the zone if it is unknown.
    public let captureDate: String?
    public let make: String?
    public let model: String?
    public let location: Location?
    /// The movie in a motion photo.
    public let motion: Motion?
    /// All fields of its Exif data and of Apple's MakerNote.
    public let fields: [Field]
    /// What could not be read, as sentences.
    public let problems: [String]

    /// A place, in degrees and metres.
    public struct Location: Sendable, Hashable, Encodable {
        public let latitude: Double
        public let longitude: Double
        public let altitude: Double?
    }

    /// A movie inside the photo's file.
    public struct Motion: Sendable, Hashable, Encodable {
        /// `Motion Photo`, `MicroVideo`, `Samsung` or `mpvd`.
        public let kind: String
        public let offset: Int
        public let size: Int
        /// The time in the movie at which the photo was taken; nil if unknown.
        public let presentationTime: Double?
    }

    /// One field of the Exif data.
    public struct Field: Sendable, Hashable, Encodable {
        /// `IFD0`, `Exif`, `GPS` or `Apple`.
        public let directory: String
        public let tag: Int
        public let name: String
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
        case .success(let identifier): (contentIdentifier, contentIdentifierProblem) = (identifier, nil)
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
        motion = try attempt { try EmbeddedVideo(reader) }.map(Motion.init)
        _ = try attempt { try reader.xmp() }
        self.problems = problems
    }
}

extension PhotoInspection.Motion {
    fileprivate init(_ video: EmbeddedVideo) {
        kind =
            switch video.kind {
            case .motionPhoto: "Motion Photo"
            case .microVideo: "MicroVideo"
            case .samsung: "Samsung"
            case .motionPhotoBox: "mpvd"
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
