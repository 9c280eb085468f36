/// The title in a sidecar, which is the name of the item in Google Photos. It shows to which of several files with similar
/// names a sidecar belongs.
package struct SidecarTitle {
    /// Letters and digits of the title, with and without what may be its extension.
    private let texts: [String]

    /// Takeout cuts the names of files to about this length; shorter names are complete.
    private static let cutLength = 40

    package init(_ title: String) {
        // Takeout writes `&#39;` for an apostrophe.
        let plain = title.contains("&") ? title.replacing(/&(#[0-9]+|amp|quot|lt|gt);/, with: "") : title
        let stem = SidecarNames.split(plain).stem
        let parts = SidecarNames.split(stem)
        let motion = parts.ending == SidecarNames.motionExtension ? [parts.stem] : []
        texts = Self.forms(of: stem) + ([plain] + motion).map(Self.lettersAndDigits)
    }

    /// Whether a file may be that of the title: an original, a numbered duplicate, an edited copy, or the movie of a Live
    /// Photo. Characters other than letters and digits are ignored, since Takeout replaces many of them.
    package func fits(_ name: String) -> Bool {
        guard !texts.contains("") else { return true }
        let stem = SidecarNames.split(name).stem
        let isCut = stem.count >= Self.cutLength
        let marks = [""] + SidecarNames.editMarks.map(Self.lettersAndDigits)
        return Self.forms(of: stem).contains { file in
            texts.contains { text in
                marks.contains { isCut ? (text + $0).hasPrefix(file) : text + $0 == file }
            }
        }
    }

    /// With and without a number.
    private static func forms(of stem: String) -> [String] {
        [stem, SidecarNames.splitNumber(stem).base].map(lettersAndDigits)
    }

    private static func lettersAndDigits(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
