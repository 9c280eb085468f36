import Bytes
package import SystemPackage

/// A small text file beside an edited pair that describes the edit, as Photos stores an `.AAE` file: `IMG_1.edit.yaml` for
/// `IMG_1.JPG`.
package struct AdjustmentData: Sendable, Hashable {
    package let path: FilePath
    private let text: String

    /// The maximum size of a file that is replaced in place. The journal keeps its content.
    private static let sizeLimit = 1 << 20

    /// - Parameter photo: The photo of the edited pair.
    package init(text: String, beside photo: FilePath) {
        self.text = text
        path = photo.folder.file((photo.lastComponent ?? "photo").base.appending(JournalText.ending))
    }

    /// Whether a file has the name of one.
    package static func isName(of path: FilePath) -> Bool { path.string.hasSuffix(JournalText.ending) }

    /// Checks before any work that the file can be written with copies.
    ///
    /// - Throws: `LivePhotoError` as `Publisher.check`.
    package func check(replacing: Bool) throws(LivePhotoError) {
        try Publisher.check([path], replacing: replacing)
    }

    /// Writes the file after the pair.
    ///
    /// - Parameters:
    ///   - livePhoto: The edited pair.
    ///   - journals: Those that record the edit in place, which is undone with the file; nil for copies.
    ///   - replacing: Whether an existing file of copies is replaced; in place, it always is.
    /// - Returns: A sentence if it could not be written, which does not affect the pair.
    package func stored(with livePhoto: LivePhoto, noting journals: EditJournals?, replacing: Bool) -> String? {
        do throws(LivePhotoError) {
            // The pair is written already.
            try WorkInterruption.ignored { () throws(LivePhotoError) in
                let content = Array(text.utf8)
                if let journals {
                    try journals.journal(in: path.folder).noteText(
                        content, at: path, ofMovie: livePhoto.movie, limit: Self.sizeLimit)
                }
                try FileSystem.write(content, to: path, replacing: replacing || journals != nil)
            }
            return nil
        } catch {
            return "the settings of the edit are not stored beside the pair: \(error)"
        }
    }
}
