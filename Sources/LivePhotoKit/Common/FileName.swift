package import SystemPackage

/// File names may have any bytes. Strings made from them have replacements for those that are not UTF-8, so new names are
/// made from components.
extension FilePath.Component {
    /// The name without its extension.
    package var base: FilePath.Component {
        var path = FilePath(root: nil, [self])
        path.extension = nil
        return path.lastComponent ?? self
    }

    /// The name followed by a text without slashes, such as an extension.
    package func appending(_ text: String) -> FilePath.Component {
        let path = FilePath(root: nil, [self])
        let bytes = path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: path.length)) }
        let ending = text.utf8.map { CInterop.PlatformChar(bitPattern: $0) }
        return FilePath.Component(platformString: bytes + ending + [0]) ?? self
    }
}

/// A path or name for comparing. Equivalent spellings of a letter in Unicode are equal, and bytes that are not UTF-8 are
/// compared as they are.
package struct ComparedName: Sendable, Hashable {
    private let text: String
    /// Nil if the text has all of it.
    private let bytes: FilePath?

    init(_ path: FilePath) { self.init(path, path.string) }

    /// Names that differ only in case are equal, as they are the same file on many file systems.
    init(ignoringCaseOf name: FilePath.Component) {
        self.init(FilePath(root: nil, [name]), name.string.lowercased())
    }

    private init(_ path: FilePath, _ text: String) {
        self.text = text
        bytes = FilePath(path.string) == path ? nil : path
    }
}

/// Where a new file goes, for finding files that would replace each other: names that differ only in case are equal.
package struct ComparedPlace: Sendable, Hashable {
    private let folder: FilePath
    private let name: ComparedName?

    package init(of file: FilePath) {
        folder = file.removingLastComponent()
        name = file.nameIgnoringCase
    }
}

extension FilePath {
    /// The file's name; nil for the root folder.
    package var nameIgnoringCase: ComparedName? { lastComponent.map { ComparedName(ignoringCaseOf: $0) } }
}
