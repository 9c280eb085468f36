/// The presets that ship with the program: the YAML files of this folder, embedded at build time.
package enum PresetFiles {
    /// Name and contents, in display order.
    package static let all: [(name: String, yaml: String)] = [
        ("classic", String(decoding: PackageResources.classic_yaml, as: UTF8.self)),
        ("smooth", String(decoding: PackageResources.smooth_yaml, as: UTF8.self)),
        ("compact", String(decoding: PackageResources.compact_yaml, as: UTF8.self)),
        ("modern", String(decoding: PackageResources.modern_yaml, as: UTF8.self)),
        ("wallpaper", String(decoding: PackageResources.wallpaper_yaml, as: UTF8.self)),
    ]
}
