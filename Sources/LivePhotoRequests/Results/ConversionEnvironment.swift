import MediaModel

/// The installed libraries of FFmpeg, x264 and libheif, and the components that conversion needs.
public struct ConversionEnvironment: Sendable, Hashable, Codable {
    /// An installed library.
    public struct Library: Sendable, Hashable, Codable {
        /// The library's name: `libavcodec`.
        public let name: String
        /// The version that is loaded: `59.37.100`.
        public let version: String

        package init(name: String, version: String) {
            (self.name, self.version) = (name, version)
        }

        /// - Throws: `DecodingError` if a text is missing.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.text(.name, limit: AnswerLimits.name)
            version = try container.text(.version, limit: AnswerLimits.name)
        }
    }

    /// A component of FFmpeg that conversion uses.
    public struct Component: Sendable, Hashable, Codable {
        /// The kind of component: `encoder`, `filter`, `decoder`, or `export` for a format of `ExportFormat`.
        public let kind: String
        /// Its name in FFmpeg, or that of the format.
        public let name: String
        /// What conversions use it for; for a format, the encoder.
        public let purpose: String
        /// Whether the installed FFmpeg has it.
        public let isPresent: Bool
        /// Whether every conversion needs it.
        public let isRequired: Bool

        package init(kind: String, name: String, purpose: String, isPresent: Bool, isRequired: Bool) {
            (self.kind, self.name, self.purpose) = (kind, name, purpose)
            (self.isPresent, self.isRequired) = (isPresent, isRequired)
        }

        /// - Throws: `DecodingError` if a value is missing.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kind = try container.text(.kind, limit: AnswerLimits.name)
            name = try container.text(.name, limit: AnswerLimits.name)
            purpose = try container.text(.purpose, limit: AnswerLimits.line)
            isPresent = try container.decode(Bool.self, forKey: .isPresent)
            isRequired = try container.decode(Bool.self, forKey: .isRequired)
        }
    }

    /// FFmpeg's release: `5.1.9-0+deb12u1`.
    public let ffmpegRelease: String
    /// FFmpeg's libraries.
    public let libraries: [Library]
    /// x264's version, read from a picture that it encodes; nil if encoding fails.
    public let x264: String?
    /// libheif's version: `1.15.1`.
    public let libheif: String
    /// The encoders, filters and decoders that conversions use.
    public let components: [Component]
    /// The sandbox of the worker; nil if the sandbox is off or there is no worker.
    public package(set) var sandbox: SandboxReport?

    package init(
        ffmpegRelease: String, libraries: [Library], x264: String?, libheif: String, components: [Component]
    ) {
        (self.ffmpegRelease, self.libraries, self.x264) = (ffmpegRelease, libraries, x264)
        (self.libheif, self.components) = (libheif, components)
    }

    /// - Throws: `DecodingError` for lists that no system has.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            ffmpegRelease: try container.text(.ffmpegRelease, limit: AnswerLimits.name),
            libraries: try container.array(.libraries, count: 1...AnswerLimits.components),
            x264: try container.optional(.x264) { try $0.text($1, limit: AnswerLimits.name) },
            libheif: try container.text(.libheif, limit: AnswerLimits.name),
            components: try container.array(.components, count: 1...AnswerLimits.components))
        sandbox = try container.decodeIfPresent(SandboxReport.self, forKey: .sandbox)
    }

    package static let heicEncoderName = "libheif hevc"

    /// Whether an edited HEIC can stay one.
    public var canEncodeHEIC: Bool { components.contains { $0.name == Self.heicEncoderName && $0.isPresent } }

    /// Whether all required components are installed.
    public var isReady: Bool { x264 != nil && components.allSatisfy { $0.isPresent || !$0.isRequired } }
}

/// The kernel features that sandbox the worker.
public struct SandboxReport: Sendable, Hashable, Codable {
    /// The ABI version of Landlock, which denies access to files and network; nil if the kernel lacks it.
    public let landlock: Int?
    /// Whether seccomp filters system calls.
    public let seccomp: Bool

    package init(landlock: Int?, seccomp: Bool) {
        (self.landlock, self.seccomp) = (landlock, seccomp)
    }

    /// - Throws: `DecodingError` for a version of Landlock that does not exist.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        landlock = try container.optional(.landlock) { try $0.whole($1, in: 1...1_000) }
        seccomp = try container.decode(Bool.self, forKey: .seccomp)
    }

    /// Whether the kernel has both features.
    public var isComplete: Bool { landlock != nil && seccomp }
}

extension SandboxReport: CustomStringConvertible {
    /// `Landlock 4, seccomp`
    public var description: String {
        "\(landlock.map { "Landlock \($0)" } ?? "no Landlock"), \(seccomp ? "seccomp" : "no seccomp")"
    }
}
