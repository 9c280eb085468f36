import CHeif

/// Why a picture could not be decoded, according to libheif or to the checks of its output.
package struct HeifError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence without the file's name.
    package let description: String
    /// Whether there was not enough memory.
    package let isOutOfMemory: Bool

    init(_ description: String, isOutOfMemory: Bool = false) {
        self.isOutOfMemory = isOutOfMemory
        // libheif ends some of its sentences with a new line.
        self.description = description.split(separator: "\n").joined(separator: "; ")
    }
}

/// Throws if a libheif call failed. Only this function turns a C status into a Swift error.
func check(_ error: heif_error) throws(HeifError) {
    guard error.code != heif_error_Ok else { return }
    // The text belongs to libheif; the next call may change it.
    throw HeifError(
        error.message.map { String(cString: $0) } ?? "libheif error \(error.code.rawValue)",
        // libheif has the same code for pictures that are larger than its limits.
        isOutOfMemory: error.code == heif_error_Memory_allocation_error
            && error.subcode != heif_suberror_Security_limit_exceeded)
}

/// The pointer that a libheif call returned; throws if it is nil.
func given<Pointer>(_ pointer: Pointer?, _ what: StaticString) throws(HeifError) -> Pointer {
    guard let pointer else { throw HeifError("libheif returned no \(what)") }
    return pointer
}
