import FFmpegKit
import HeifKit
import LivePhotoRequests

extension ConversionEnvironment {
    /// What this process is linked with.
    package static var current: ConversionEnvironment {
        let versions = LibavVersions()
        func component(_ kind: String, _ name: String, _ purpose: String, _ isPresent: Bool, _ isRequired: Bool)
            -> Component
        {
            Component(kind: kind, name: name, purpose: purpose, isPresent: isPresent, isRequired: isRequired)
        }
        return ConversionEnvironment(
            ffmpegRelease: versions.release,
            libraries: versions.libraries.map { Library(name: $0.name, version: $0.version) }, x264: versions.x264,
            libheif: HeifPicture.libraryVersion,
            components: encoders.map { component("encoder", $0, $1, LibavVersions.hasEncoder($0), true) }
                + filters.map { component("filter", $0, $1, LibavVersions.hasFilter($0), $2) }
                + decoders.map { component("decoder", $0, $1, LibavVersions.hasDecoder($0), false) })
    }

    /// Loads libheif's plugins, which the sandboxed process cannot open later.
    package static func loadPlugins() { HeifPicture.loadPlugins() }

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
