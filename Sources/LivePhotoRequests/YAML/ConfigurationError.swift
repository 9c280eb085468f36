/// What is wrong with a preset or a job file, and where.
public struct ConfigurationError: Error, Hashable, Sendable {
    /// The kinds of error; compare these, never the messages.
    public enum Code: Hashable, Sendable {
        /// The file cannot be opened or read.
        case unreadable
        /// Not UTF-8, not YAML, or a part of YAML that is not read here.
        case syntax
        /// Larger or nested more deeply than any real one.
        case overLimit
        /// A key that does not exist at its place.
        case unknownKey
        /// A key that has to be there is not.
        case missingKey
        /// A mapping has a key twice.
        case duplicateKey
        /// A list where a value is expected, nothing where something is, and so on.
        case wrongType
        /// A value that is not allowed for its key.
        case invalidValue
        /// There is no preset of that name.
        case unknownPreset
        /// A user's preset has a name that is not allowed, or another name than its file.
        case invalidName
        /// Presets that extend each other in a circle or in too long a line.
        case circularExtends
        /// Two jobs that would make the same file, or have the same identifier.
        case conflict
    }

    /// A place in a text file.
    public struct Place: Hashable, Sendable {
        /// Counted from 1.
        public let line: Int
        /// Counted from 1, in Unicode scalars.
        public let column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        /// The same place if so many lines precede the text.
        func moved(byLines lines: Int) -> Self { Self(line: line + lines, column: column) }
    }

    /// The kind of error.
    public let code: Code
    /// The file as its user named it; nil for a preset's name that was not given in a file.
    public let file: String?
    /// Nil for an error of the whole file.
    public let place: Place?
    /// One sentence without the place.
    public let message: String

    /// The same error if so many lines precede the text.
    func moved(byLines lines: Int) -> Self {
        Self(code, file: file, at: place.map { $0.moved(byLines: lines) }, message)
    }

    package init(_ code: Code, file: String?, at place: Place? = nil, _ message: String) {
        self.code = code
        self.file = file
        self.place = place
        self.message = message
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// `classic.yaml:6:9: unknown key 'codce'; did you mean 'codec'?`
    public var description: String {
        let position = place.map { ":\($0.line):\($0.column)" } ?? ""
        return file.map { "\($0)\(position): \(message)" } ?? message
    }
}
