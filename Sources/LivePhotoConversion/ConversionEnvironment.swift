import CLazyLibraries
import FFmpegKit
import HeifKit
public import LivePhotoKit

/// What conversion finds on this machine: libav, x264, and the parts of them that it needs.
public struct ConversionEnvironment: Sendable {
    /// A part of libav that conversion uses.
    public struct Component: Sendable, Hashable {
        /// What kind of part: `encoder`, `filter` or `decoder`.
        public let kind: String
        /// libav's name of it.
        public let name: String
        /// What it is used for.
        public let purpose: String
        public let isPresent: Bool
        /// Whether no clip at all can be converted without it.
        public let isRequired: Bool
    }

    /// FFmpeg's release: `5.1.9-0+deb12u1`.
    public let ffmpegRelease: String
    /// Name and version of each of libav's libraries.
    public let libraries: [(name: String, version: String)]
    /// x264's version, as it stands in what it encodes; nil when it does not encode.
    public let x264: String?
    /// libheif's version: `1.15.1`.
    public let libheif: String
    public let components: [Component]

    /// Whether everything is there without which no clip can be converted.
    public var isReady: Bool { x264 != nil && components.allSatisfy { $0.isPresent || !$0.isRequired } }

    /// Loads FFmpeg's libraries and libheif. All that decodes or encodes does it first.
    ///
    /// - Throws: `LivePhotoError` of code `missingLibrary`.
    public static func loadLibraries() throws(LivePhotoError) {
        if let loadingFault { throw LivePhotoError(.missingLibrary, nil, loadingFault) }
    }

    private static let loadingFault: String? = livephoto_load_libraries().map { String(cString: $0) }

    /// - Throws: `LivePhotoError` where there is not even libav or libheif.
    public init() throws(LivePhotoError) {
        try Self.loadLibraries()
        let versions = LibavVersions()
        ffmpegRelease = versions.release
        libraries = versions.libraries
        x264 = versions.x264
        libheif = HeifVersion.linked
        components =
            Self.encoders.map {
                Component(
                    kind: "encoder", name: $0, purpose: $1, isPresent: LibavVersions.hasEncoder($0), isRequired: true)
            }
            + Self.filters.map {
                Component(
                    kind: "filter", name: $0, purpose: $1, isPresent: LibavVersions.hasFilter($0), isRequired: $2)
            }
            + Self.decoders.map {
                Component(
                    kind: "decoder", name: $0, purpose: $1, isPresent: LibavVersions.hasDecoder($0), isRequired: false)
            }
    }

    private static let encoders = [
        ("libx264", "the movie"), ("aac", "the movie's sound"), ("mjpeg", "the key photo"),
    ]
    private static let filters = [
        ("scale", "size", true), ("transpose", "rotation", true), ("hflip", "mirrored clips", true),
        ("vflip", "mirrored clips", true), ("zscale", "colour", true), ("tonemap", "HDR clips", false),
        ("bwdif", "interlaced clips", false), ("overlay", "clips with transparency", false),
        ("crop", "--crop, --fill", false), ("pad", "--fit", false), ("aresample", "sound", true),
        ("atrim", "sound", true),
    ]
    private static let decoders = [
        ("h264", "most clips"), ("hevc", "clips of newer phones"), ("vp9", "WebM"), ("av1", "newer web clips"),
        ("prores", "editors' clips"), ("aac", "most sound"), ("opus", "WebM's sound"),
    ]
}
