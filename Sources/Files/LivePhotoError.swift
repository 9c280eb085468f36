import Bytes
public import SystemPackage

/// Why something could not be done: what kind of failure, which file, one sentence for a person, and the cause.
public struct LivePhotoError: Error, Sendable {
    /// What kind of failure it is. Compare by this, never by the words; more may be added.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
        /// The code as text, with a refinement after a dot: `invalidRequest.unknownKey`.
        public let rawValue: String

        /// A code of this name, which programs that use the library can also create.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The request asks for something impossible, such as a time outside the clip.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// There is no such file, or it may not be read.
        public static let noInput = Code(rawValue: "noInput")
        /// The file exists, but is not what is needed, or is damaged.
        public static let unusableMedia = Code(rawValue: "unusableMedia")
        /// There is a file where the result should go, which may not be replaced.
        public static let outputExists = Code(rawValue: "outputExists")
        /// The result cannot be written where it should go.
        public static let cannotCreateOutput = Code(rawValue: "cannotCreateOutput")
        /// Reading or writing failed.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// There is not enough memory now, or another run works on the same file; another try may succeed.
        public static let temporary = Code(rawValue: "temporary")
        /// The task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// A library that is needed, such as FFmpeg's or libheif, is not installed in a version that works.
        public static let missingLibrary = Code(rawValue: "missingLibrary")
        /// An error in this library: its own result did not pass its check.
        public static let internalError = Code(rawValue: "internalError")

        /// The code as text.
        public var description: String { rawValue }

        /// A more precise code, which has the same exit status: `invalidRequest.unknownKey`.
        public func refined(_ detail: String) -> Code { Code(rawValue: "\(rawValue).\(detail)") }

        /// The code that this one refines, or itself.
        public var general: Code { Code(rawValue: String(rawValue.prefix { $0 != "." })) }
    }

    /// A place in a text file, such as a preset or a job file.
    public struct Place: Sendable, Hashable {
        /// The line, counted from 1.
        public let line: Int
        /// The column, counted from 1 in Unicode scalars.
        public let column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// What kind of failure it is.
    public let code: Code
    /// The file that the error concerns.
    public let file: FilePath?
    /// Where in the file, if it is a text file.
    public let place: Place?
    /// What is wrong and what to do about it.
    public let reason: String
    /// The error that led to this one, such as an `Errno` or what a parser reported.
    public let cause: (any Error)?

    /// An error about a file, or about none.
    ///
    /// - Parameters:
    ///   - code: what kind of failure it is.
    ///   - file: the file that the error concerns; nil if there is none.
    ///   - place: where in the file, if it is a text file.
    ///   - reason: one sentence without a full stop: what is wrong and what to do about it. It follows the file's path in
    ///     `description`.
    ///   - cause: the error that led to this one.
    public init(
        _ code: Code, _ file: FilePath?, at place: Place? = nil, _ reason: String, cause: (any Error)? = nil
    ) {
        self.code = code
        self.file = file
        self.place = place
        self.reason = reason
        self.cause = cause
    }
}

/// The cause does not count.
extension LivePhotoError: Hashable {
    /// Whether everything but the cause is equal.
    public static func == (one: Self, other: Self) -> Bool {
        one.code == other.code && one.file == other.file && one.place == other.place && one.reason == other.reason
    }

    /// Hashes everything but the cause.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(file)
        hasher.combine(place)
        hasher.combine(reason)
    }
}

extension LivePhotoError.Code {
    /// The exit status of a program that ends with this error: sysexits.h.
    package var exitStatus: Int32 {
        switch general {
        case .invalidRequest: 64
        case .unusableMedia: 65
        case .noInput: 66
        case .missingLibrary: 69
        case .outputExists, .cannotCreateOutput: 73
        case .inputOutput: 74
        case .temporary: 75
        case .cancelled: 130
        default: 70
        }
    }
}

extension LivePhotoError: CustomStringConvertible {
    /// `beach.mp4: no video stream (it has 1 audio stream); a Live Photo needs video`, or
    /// `classic.yaml:6:9: unknown key 'codce'; did you mean 'codec'?`
    public var description: String {
        let position = place.map { ":\($0.line):\($0.column)" } ?? ""
        return file.map { "\($0)\(position): \(reason)" } ?? reason
    }
}

extension LivePhotoError {
    /// - Parameter error: what opening or reading a file has thrown.
    package init(reading path: FilePath, _ error: any Error) {
        if let error = Self.interruption(of: path, error) {
            self = error
            return
        }
        switch error as? Errno {
        case .noSuchFileOrDirectory where path.isEmpty:
            self.init(.noInput, nil, "the name of a file is empty", cause: error)
        case .noSuchFileOrDirectory, .notDirectory: self.init(.noInput, path, "no such file", cause: error)
        case .permissionDenied: self.init(.noInput, path, "may not be read (permission denied)", cause: error)
        case let error? where [.tooManySymbolicLinkLevels, .fileNameTooLong].contains(error):
            self.init(.noInput, path, "cannot be opened: \(error)", cause: error)
        case .isDirectory: self.init(.unusableMedia, path, "is a folder, not a file")
        case .illegalSeek: self.init(.unusableMedia, path, "is a pipe, not a file")
        case let error?: self.init(.inputOutput, path, "cannot be read: \(error)", cause: error)
        case nil: self.init(.internalError, path, "internal error: \(error)", cause: error)
        }
    }

    /// Throws if the work on a file was interrupted, which may have been taken for a property of the file meanwhile.
    package static func checkInterruption(of path: FilePath) throws(LivePhotoError) {
        do {
            try WorkInterruption.check()
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    package static let cancellation = LivePhotoError(.cancelled, nil, "cancelled")

    /// The error for work that ended early for reasons outside of the file; nil for other errors.
    package static func interruption(of path: FilePath?, _ error: any Error) -> LivePhotoError? {
        switch error {
        case is CancellationError: .cancellation
        case let error as FileChanged: LivePhotoError(.temporary, error.path, "\(error)", cause: error)
        case let error as TimeLimitExceeded: LivePhotoError(.unusableMedia, path, "\(error)", cause: error)
        case Errno.tooManyOpenFiles, Errno.tooManyOpenFilesInSystem:
            LivePhotoError(
                .temporary, path,
                "cannot be opened: \(error); allow more open files (ulimit -n), or run fewer jobs at a time",
                cause: error)
        default: nil
        }
    }

    /// - Parameter error: what making or writing a file or folder has thrown.
    package init(writing path: FilePath, _ error: any Error) {
        if let error = Self.interruption(of: path, error) {
            self = error
            return
        }
        guard let error = error as? Errno else {
            self =
                error as? LivePhotoError
                ?? LivePhotoError(.internalError, path, "internal error: \(error)", cause: error)
            return
        }
        switch error {
        case .fileExists: self.init(.outputExists, path, "already exists", cause: error)
        case .noSpace, .diskQuotaExceeded: self.init(.inputOutput, path, "cannot be written: \(error)", cause: error)
        case .notDirectory:
            self.init(
                .cannotCreateOutput, path, "cannot be created, because a part of its path is a file, not a folder",
                cause: error)
        case .permissionDenied, .notPermitted, .readOnlyFileSystem, .noSuchFileOrDirectory, .isDirectory,
            .fileNameTooLong, .tooManySymbolicLinkLevels:
            self.init(.cannotCreateOutput, path, "cannot be created: \(error)", cause: error)
        default: self.init(.inputOutput, path, "cannot be written: \(error)", cause: error)
        }
    }
}
