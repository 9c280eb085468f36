import MediaModel
package import SystemPackage

/// Limits of file names.
package enum FileName {
    /// Bytes of the longest name of a file.
    package static let limit = 255
}

/// File names may have any bytes. Strings made from them have replacements for those that are not UTF-8, so new names are
/// made from components.
extension FilePath.Component {
    /// The bytes of the name.
    package var bytes: [UInt8] {
        let path = FilePath(root: nil, [self])
        return path.withPlatformString { start in
            UnsafeBufferPointer(start: start, count: path.length).map { UInt8(bitPattern: $0) }
        }
    }

    /// Whether the name is text, and no text that Swift compares slowly. Others are only compared as bytes.
    package var isOrdinaryText: Bool {
        FilePath.Component(string) == self && !FileText.hasLongChain(string.unicodeScalars)
    }

    /// The name without its extension.
    package var base: FilePath.Component {
        var path = FilePath(root: nil, [self])
        path.extension = nil
        return path.lastComponent ?? self
    }

    /// The name without its end if it would otherwise leave less than so many bytes for an extension.
    package func cut(leaving count: Int) -> FilePath.Component {
        let bytes = bytes
        guard bytes.count > FileName.limit - count else { return self }
        var end = FileName.limit - count
        while end > 1, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return FilePath.Component(platformString: bytes[..<end].map { CInterop.PlatformChar(bitPattern: $0) } + [0])
            ?? self
    }

    /// The name followed by a text without slashes, such as an extension.
    package func appending(_ text: String) -> FilePath.Component {
        let path = FilePath(root: nil, [self])
        let bytes = path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: path.length)) }
        let ending = text.utf8.map { CInterop.PlatformChar(bitPattern: $0) }
        return FilePath.Component(platformString: bytes + ending + [0]) ?? self
    }
}

/// A path or name for comparing. Equivalent spellings of a letter in Unicode are equal. Bytes that are not UTF-8, and text
/// that Swift compares slowly, are compared as they are.
package struct ComparedName: Sendable, Hashable {
    private let text: String
    /// Nil if the text has all of it; otherwise the text is empty.
    private let bytes: FilePath?

    package init(_ path: FilePath) { self.init(path, path.string) }

    /// The path of a file without its extension.
    package init(withoutExtensionOf path: FilePath) {
        var name = path
        name.extension = nil
        self.init(name)
    }

    /// Names that differ only in case are equal, as they are the same file on many file systems.
    package init(ignoringCaseOf name: FilePath.Component) { self.init(ignoringCaseOf: FilePath(root: nil, [name])) }

    /// Paths that differ only in case are equal.
    package init(ignoringCaseOf path: FilePath) { self.init(path, path.string.lowercased()) }

    private init(_ path: FilePath, _ text: String) {
        let isOrdinary = FilePath(path.string) == path && !FileText.hasLongChain(path.string.unicodeScalars)
        (self.text, bytes) = isOrdinary ? (text, nil) : ("", path)
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
    /// In what a file's name differs from another one that is the same on many file systems: the end of a sentence. Letters with
    /// marks have two forms in Unicode, of which macOS and Linux write different ones.
    package func difference(from other: FilePath) -> String {
        let (name, otherName) = (lastComponent?.string ?? "", other.lastComponent?.string ?? "")
        let form = "how Unicode stores its letters"
        // Texts that differ only in form are equal.
        if name == otherName { return "only in \(form)" }
        let hasOneForm = name.lowercased().unicodeScalars.elementsEqual(otherName.lowercased().unicodeScalars)
        return hasOneForm ? "only in case" : "only in case and in \(form)"
    }

    /// The file's name; nil for the root folder.
    package var nameIgnoringCase: ComparedName? { lastComponent.map { ComparedName(ignoringCaseOf: $0) } }
}
