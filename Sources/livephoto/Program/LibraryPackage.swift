/// A library that `livephoto-media` needs, by the names of its packages.
struct LibraryPackage: Sendable {
    /// The beginnings of the names of its files: `libheif`.
    private let files: [String]
    /// As arguments of the command that installs packages.
    private let debian, fedora, arch, homebrew: String

    /// FFmpeg's libraries, with the encoders and filters that Debian has in packages of their own.
    static let ffmpeg = Self(
        files: [
            "libavcodec", "libavdevice", "libavfilter", "libavformat", "libavutil", "libswscale", "libswresample",
            "libpostproc",
        ],
        debian: "libavcodec-extra libavfilter-extra", fedora: "ffmpeg-libs",
        arch: "ffmpeg", homebrew: "ffmpeg")
    private static let all = [
        ffmpeg,
        Self(files: ["libheif"], debian: "libheif1", fedora: "libheif", arch: "libheif", homebrew: "libheif"),
        Self(files: ["libx264"], debian: "libx264-dev", fedora: "x264-libs", arch: "x264", homebrew: "x264"),
        Self(files: ["libx265"], debian: "libx265-dev", fedora: "x265-libs", arch: "x265", homebrew: "x265"),
        Self(
            files: ["libvidstab"], debian: "libvidstab-dev", fedora: "vid.stab-libs", arch: "vid.stab",
            homebrew: "libvidstab"),
    ]

    /// How to install the package of the library that an error of the loader names; all packages if it is none of them.
    ///
    /// - Parameter reason: as the loader wrote it: `libheif.so.1: cannot open shared object file`.
    static func advice(forLoader reason: String) -> [String] {
        let library = reason.matches(of: /lib[A-Za-z0-9]+/).map { String($0.output) }.first { name in
            all.contains { $0.files.contains(where: name.hasPrefix) }
        }
        guard let library else {
            return ["A library that livephoto-media is linked with cannot be loaded."] + advice(all)
        }
        return ["livephoto-media cannot be loaded without \(library)."]
            + advice(all.filter { $0.files.contains(where: library.hasPrefix) })
    }

    /// How to install packages, by system.
    static func advice(_ packages: [Self]) -> [String] {
        func line(_ system: String, _ command: String, _ name: KeyPath<Self, String>, _ note: String = "") -> String {
            "  " + "\(system):".padded(to: 16)
                + "\(command) \(packages.map { $0[keyPath: name] }.joined(separator: " "))\(note)"
        }
        return [
            "Install it:",
            line("Debian, Ubuntu", "sudo apt install", \.debian),
            line("Fedora", "sudo dnf install", \.fedora, " (from RPM Fusion)"),
            line("Arch", "sudo pacman -S", \.arch),
            line("macOS", "brew install", \.homebrew),
        ]
    }
}
