public import SystemPackage

/// Why a pair could not be put in its place.
public struct PublishError: Error, Hashable, Sendable {
    public enum Code: Hashable, Sendable {
        /// A file stands there and was not to be replaced.
        case exists
        /// The place is that of a file the pair is made from.
        case isTheInput
        /// The folder or the file cannot be made: no permission, no such folder, a read-only file system.
        case cannotCreate
        /// The disk or the quota is full.
        case noSpace
        /// Reading or writing failed otherwise.
        case io
    }

    public let code: Code
    /// The file or folder it is about.
    public let path: FilePath
    /// What the system said; nil when it was not asked.
    public let systemError: Errno?

    init(_ code: Code, _ path: FilePath, _ systemError: Errno? = nil) {
        self.code = code
        self.path = path
        self.systemError = systemError
    }

    /// The error that the system's answer to a try to make or write the file at `path` is.
    package init(_ systemError: Errno, at path: FilePath) {
        let code: Code =
            switch systemError {
            case .fileExists: .exists
            case .noSpace, .diskQuotaExceeded: .noSpace
            case .permissionDenied, .notPermitted, .readOnlyFileSystem, .noSuchFileOrDirectory, .notDirectory,
                .isDirectory, .fileNameTooLong, .tooManySymbolicLinkLevels:
                .cannotCreate
            default: .io
            }
        self.init(code, path, systemError)
    }
}

extension PublishError: CustomStringConvertible {
    /// One sentence for a person, without a full stop.
    public var description: String {
        switch code {
        case .exists: "\(path) already exists"
        case .isTheInput: "\(path) would replace the file that it is made from"
        case .cannotCreate: "\(path) cannot be created" + reason
        case .noSpace: "there is no space left to write \(path)"
        case .io: "\(path) cannot be written" + reason
        }
    }

    private var reason: String { systemError.map { ": \($0)" } ?? "" }
}
