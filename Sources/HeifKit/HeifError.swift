import CHeif

/// Why libheif, or we after it, could not give a picture.
package struct HeifError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In words, without the file's name.
    package let description: String

    init(_ description: String) {
        // libheif ends some of its sentences with a new line.
        self.description = description.split(separator: "\n").joined(separator: "; ")
    }
}

/// The result of a libheif call, or its failure as an error: a C status crosses into Swift here and nowhere else.
func check(_ error: heif_error) throws(HeifError) {
    guard error.code != heif_error_Ok else { return }
    // The text belongs to libheif; the next call may change it.
    throw HeifError(error.message.map { String(cString: $0) } ?? "libheif error \(error.code.rawValue)")
}

/// What a libheif call gave, or the lack of it as an error.
func given<Pointer>(_ pointer: Pointer?, _ what: StaticString) throws(HeifError) -> Pointer {
    guard let pointer else { throw HeifError("libheif gave no \(what)") }
    return pointer
}
