public import SystemPackage

/// Why something could not be done: what kind of failure, which file, and one sentence for a person.
public struct LivePhotoError: Error, Sendable, Hashable {
    /// Compare by this, never by the words.
    public enum Code: String, Sendable, Hashable, Codable {
        /// The request asks for something that cannot be, such as a time outside the clip.
        case invalidRequest
        /// There is no such file, or it may not be read.
        case noInput
        /// The file is there, but is not what is needed, or is damaged.
        case unusableMedia
        /// A file stands where the result should go, and was not to be replaced.
        case outputExists
        /// The result cannot be written where it should go.
        case cannotCreateOutput
        /// Reading or writing failed on the way.
        case inputOutput
        /// Not enough memory now, or another run is at work on the same file; another try may succeed.
        case temporary
        /// The task was cancelled.
        case cancelled
        /// A library that is needed, one of FFmpeg's or libheif, is not installed in the version that is needed.
        case missingLibrary
        /// A fault of this library: its own result did not pass its check.
        case internalFault
    }

    public let code: Code
    /// The file it is about.
    public let file: FilePath?
    /// What is wrong and what to do about it.
    public let reason: String

    public init(_ code: Code, _ file: FilePath?, _ reason: String) {
        self.code = code
        self.file = file
        self.reason = reason
    }
}

extension LivePhotoError.Code {
    /// What a program ends with that did nothing but this: sysexits.h.
    package var exitStatus: Int32 {
        switch self {
        case .invalidRequest: 64
        case .unusableMedia: 65
        case .noInput: 66
        case .missingLibrary: 69
        case .internalFault: 70
        case .outputExists, .cannotCreateOutput: 73
        case .inputOutput: 74
        case .temporary: 75
        case .cancelled: 130
        }
    }
}

extension LivePhotoError: CustomStringConvertible {
    /// `beach.mp4: no video stream (it has 1 audio stream); a Live Photo needs video`
    public var description: String { file.map { "\($0): \(reason)" } ?? reason }
}

extension LivePhotoError {
    /// - Parameter error: what opening or reading a file has thrown.
    package init(reading path: FilePath, _ error: any Error) {
        if error is CancellationError {
            self = .cancellation
            return
        }
        switch error as? Errno {
        case .noSuchFileOrDirectory, .notDirectory: self.init(.noInput, path, "no such file")
        case .permissionDenied: self.init(.noInput, path, "may not be read (permission denied)")
        case .isDirectory: self.init(.unusableMedia, path, "is a folder, not a file")
        case .illegalSeek: self.init(.unusableMedia, path, "is a pipe, not a file")
        case let error?: self.init(.inputOutput, path, "cannot be read: \(error)")
        case nil: self.init(.internalFault, path, "internal error: \(error)")
        }
    }

    static let cancellation = LivePhotoError(.cancelled, nil, "cancelled")

    /// - Parameter error: what making or writing a file or folder has thrown.
    package init(writing path: FilePath, _ error: any Error) {
        if error is CancellationError {
            self = .cancellation
            return
        }
        guard let error = error as? Errno else {
            self = error as? LivePhotoError ?? LivePhotoError(.internalFault, path, "internal error: \(error)")
            return
        }
        switch error {
        case .fileExists: self.init(.outputExists, path, "already exists")
        case .noSpace, .diskQuotaExceeded: self.init(.inputOutput, path, "cannot be written: \(error)")
        case .permissionDenied, .notPermitted, .readOnlyFileSystem, .noSuchFileOrDirectory, .notDirectory, .isDirectory,
            .fileNameTooLong, .tooManySymbolicLinkLevels:
            self.init(.cannotCreateOutput, path, "cannot be created: \(error)")
        default: self.init(.inputOutput, path, "cannot be written: \(error)")
        }
    }
}
