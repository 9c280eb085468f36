import FFmpegKit
import HeifKit
import LivePhotoRequests

extension ConversionEnvironment {
    /// The libraries that this process is linked with.
    package static var current: ConversionEnvironment {
        let versions = LibavVersions()
        return ConversionEnvironment(
            ffmpegRelease: versions.release,
            libraries: versions.libraries.map { Library(name: $0.name, version: $0.version) }, x264: versions.x264,
            libheif: HeifPicture.libraryVersion,
            components: components("encoder", encoders, LibavVersions.hasEncoder)
                + components("filter", filters, LibavVersions.hasFilter)
                + components("decoder", decoders, LibavVersions.hasDecoder) + [heicEncoder] + exports)
    }

    private static var heicEncoder: Component {
        Component(
            kind: "encoder", name: ConversionEnvironment.heicEncoderName, purpose: "--photo-format heic, edited photos",
            isPresent: HEICEncoder.isAvailable, isRequired: false)
    }

    private static var exports: [Component] {
        ExportFormat.allCases.map { format in
            Component(
                kind: "export", name: format.rawValue, purpose: format.missingComponent ?? "encoder \(format.encoder)",
                isPresent: format.missingComponent == nil, isRequired: false)
        }
    }

    private static func components(
        _ kind: String, _ list: [(name: String, purpose: String, isRequired: Bool)], _ isPresent: (String) -> Bool
    ) -> [Component] {
        list.map {
            Component(
                kind: kind, name: $0.name, purpose: $0.purpose, isPresent: isPresent($0.name), isRequired: $0.isRequired
            )
        }
    }

    /// Loads libheif's plugins, which the sandboxed process cannot open later.
    package static func loadPlugins() { HeifPicture.loadPlugins() }

    private static let encoders = [
        ("libx264", "the movie", true), ("libx265", "--video-codec hevc", false), ("aac", "the movie's sound", true),
        ("mjpeg", "the key photo", true),
    ]
    private static let filters = [
        ("scale", "size", true), ("transpose", "rotation", true), ("hflip", "mirrored clips", true),
        ("vflip", "mirrored clips", true), ("zscale", "colour", true),
        ("bwdif", "interlaced clips", false), ("overlay", "clips with transparency", false),
        ("crop", "--crop, --fill", false), ("pad", "--fit", false), ("aresample", "sound", true),
        ("atrim", "sound", true), ("lutrgb", "--exposure, --contrast, --warmth, --tint", false),
        ("colorchannelmixer", "--saturation", false), ("vignette", "--vignette", false),
        ("rotate", "--straighten", false), ("bilateral", "--denoise", false), ("unsharp", "--sharpen", false),
        ("blend", "--effect loop", false), ("perspective", "--stabilize", false),
        ("volume", "--volume", false), ("alimiter", "--volume above 1", false),
    ]
    private static let decoders = [
        ("h264", "most clips", false), ("hevc", "clips of newer phones", false), ("vp9", "WebM", false),
        ("av1", "newer web clips", false), ("prores", "editors' clips", false), ("aac", "most sound", false),
        ("opus", "WebM's sound", false),
    ]
}
