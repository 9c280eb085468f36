/// What conversion finds on this machine: FFmpeg's libraries, x264, libheif, and the parts of them that it needs.
public struct ConversionEnvironment: Sendable, Hashable, Codable {
    /// A library.
    public struct Library: Sendable, Hashable, Codable {
        public let name: String
        public let version: String

        package init(name: String, version: String) {
            (self.name, self.version) = (name, version)
        }
    }

    /// A part of FFmpeg that conversion uses.
    public struct Component: Sendable, Hashable, Codable {
        /// What kind of part: `encoder`, `filter` or `decoder`.
        public let kind: String
        /// FFmpeg's name of it.
        public let name: String
        /// What it is used for.
        public let purpose: String
        public let isPresent: Bool
        /// Whether no clip at all can be converted without it.
        public let isRequired: Bool

        package init(kind: String, name: String, purpose: String, isPresent: Bool, isRequired: Bool) {
            (self.kind, self.name, self.purpose) = (kind, name, purpose)
            (self.isPresent, self.isRequired) = (isPresent, isRequired)
        }
    }

    /// FFmpeg's release: `5.1.9-0+deb12u1`.
    public let ffmpegRelease: String
    /// FFmpeg's.
    public let libraries: [Library]
    /// x264's version, read from a picture that it encodes; nil when it cannot encode.
    public let x264: String?
    /// libheif's version: `1.15.1`.
    public let libheif: String
    public let components: [Component]
    /// The sandbox of the process that decodes; nil if it has none, because decoding is done in the caller's process or the
    /// sandbox is off.
    public package(set) var sandbox: SandboxReport?

    package init(
        ffmpegRelease: String, libraries: [Library], x264: String?, libheif: String, components: [Component]
    ) {
        (self.ffmpegRelease, self.libraries, self.x264) = (ffmpegRelease, libraries, x264)
        (self.libheif, self.components) = (libheif, components)
    }

    /// Whether everything that each conversion needs is installed.
    public var isReady: Bool { x264 != nil && components.allSatisfy { $0.isPresent || !$0.isRequired } }
}

/// The kernel features that restrict a process to computing.
public struct SandboxReport: Sendable, Hashable, Codable {
    /// The version of the kernel's interface for Landlock, which takes files and network away; nil where there is none.
    public let landlock: Int?
    /// Whether seccomp filters its system calls.
    public let seccomp: Bool

    package init(landlock: Int?, seccomp: Bool) {
        (self.landlock, self.seccomp) = (landlock, seccomp)
    }

    /// Whether all of them are available.
    public var isWhole: Bool { landlock != nil && seccomp }
}

extension SandboxReport: CustomStringConvertible {
    /// `Landlock 4, seccomp`
    public var description: String {
        "\(landlock.map { "Landlock \($0)" } ?? "no Landlock"), \(seccomp ? "seccomp" : "no seccomp")"
    }
}
