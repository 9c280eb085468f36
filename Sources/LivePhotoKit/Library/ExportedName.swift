import SystemPackage

/// The parts of a file name by which the photo and the movie of a pair are recognized in an export or backup.
///
/// Google Takeout and the backups of phones write numbers, versions and second extensions in different places for the
/// two files (`IMG_1(1).HEIC`, `IMG_1.HEIC(1).MP4`), and cut long names.
package struct ExportedName: Sendable, Hashable {
    /// In lower case, without extensions, number, version and mark.
    let base: String
    /// In parentheses: files of one name in a folder of Takeout are numbered.
    let number: Int?
    /// After a tilde: later versions of a photo of a Pixel phone, `PXL_1.MP~2.jpg`.
    let version: Int?
    /// Whether the name has the mark of an edited photo: `IMG_1-edited.HEIC`.
    let isEdited: Bool
    /// In lower case, without the last extension and the number; what a cut name is compared with.
    let stem: String

    /// Extensions of the movies of Motion Photos in Takeout, which have an MP4 in them: `PXL_1.MP`, `PXL_1.MP~2`.
    package static let motionExtensions: Set<String> = Set(
        ["mp", "mv"].flatMap { kind in [kind] + (2...9).map { "\(kind)~\($0)" } })

    /// Takeout cuts the names of sidecars to 46 characters before the extension, and those of photos and movies to 46 or
    /// 47.
    private static let cutLengths = 46...47

    private static let extensions = FileTree.photoExtensions.union(FileTree.clipExtensions).union(motionExtensions)

    /// - Returns: Nil for a name that is not UTF-8, since replaced bytes would make different names equal, and for text that
    ///   Swift compares slowly.
    init?(_ path: FilePath) {
        guard let name = path.lastComponent, name.isOrdinaryText else { return nil }
        var parts = Parts(text: name.string.lowercased()[...])
        parts.dropExtension()
        parts.dropNumber()
        stem = String(parts.text)
        let isCut = Self.cutLengths.contains(stem.count)
        if isCut { parts.dropCutEnd() }
        while parts.dropExtension() || parts.dropNumber() || parts.dropVersion() || parts.dropMark() {}
        if FileTree.movieExtensions.contains(path.extension?.lowercased() ?? "") { parts.dropCodec() }
        (base, number, version) = (String(parts.text), parts.number, parts.version)
        isEdited = parts.isEdited
    }

    /// Whether one of the two names is the other one, cut.
    func isCut(of other: ExportedName) -> Bool {
        let (short, long) = stem.count <= other.stem.count ? (self, other) : (other, self)
        return Self.cutLengths.contains(short.stem.count) && long.stem.hasPrefix(short.stem)
            && (number, version) == (other.number, other.version)
    }

    /// The characters that two names have in common if one is cut; nil for short names.
    var cutHead: String? { stem.count < Self.cutLengths.lowerBound ? nil : String(stem.prefix(46)) }

    /// What is left of a name while parts are removed from its end. The last character always stays.
    private struct Parts {
        var text: Substring
        var number: Int?
        var version: Int?
        var isEdited = false

        @discardableResult
        mutating func dropExtension() -> Bool {
            guard let dot = text.lastIndex(of: "."), dot > text.startIndex else { return false }
            let kind = String(text[text.index(after: dot)...])
            guard ExportedName.extensions.contains(kind) else { return false }
            text = text[..<dot]
            if let tilde = kind.firstIndex(of: "~") { version = Int(kind[kind.index(after: tilde)...]) }
            return true
        }

        /// `(1)`, with or without a space before it.
        @discardableResult
        mutating func dropNumber() -> Bool {
            guard number == nil, text.last == ")", let start = text.lastIndex(of: "("),
                let value = Self.smallNumber(text[text.index(after: start)...].dropLast())
            else { return false }
            var rest = text[..<start]
            while rest.last == " " { rest.removeLast() }
            guard drop(to: rest) else { return false }
            number = value
            return true
        }

        mutating func dropVersion() -> Bool {
            guard version == nil, let tilde = text.lastIndex(of: "~"),
                let value = Self.smallNumber(text[text.index(after: tilde)...]), drop(to: text[..<tilde])
            else { return false }
            version = value
            return true
        }

        mutating func dropMark() -> Bool {
            guard !isEdited, let mark = SidecarNames.editMarks.first(where: { text.hasSuffix($0) }) else {
                return false
            }
            isEdited = drop(to: text.dropLast(mark.count))
            return isEdited
        }

        /// The suffix that programs for iCloud give the movies of a HEIC: `IMG_1_HEVC.MOV`.
        mutating func dropCodec() {
            if text.hasSuffix("_hevc") { _ = drop(to: text.dropLast(5)) }
        }

        /// The part of a mark or of a photo's extension that is left at the end of a cut name: `-edi`, `.hei`.
        mutating func dropCutEnd() {
            guard let start = text.lastIndex(where: { $0 == "." || $0 == "-" }) else { return }
            let end = text[start...]
            if end.first == ".", ExportedName.extensions.contains(where: { ".\($0)".hasPrefix(end) }) {
                _ = drop(to: text[..<start])
            } else if end.count > 2, SidecarNames.editMarks.contains(where: { $0.hasPrefix(end) }) {
                isEdited = drop(to: text[..<start])
            }
        }

        private mutating func drop(to rest: Substring) -> Bool {
            guard !rest.isEmpty else { return false }
            text = rest
            return true
        }

        /// The value of up to four digits.
        private static func smallNumber(_ digits: Substring) -> Int? {
            guard (1...4).contains(digits.count), digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
            return Int(digits)
        }
    }
}
