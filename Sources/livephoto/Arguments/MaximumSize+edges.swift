import LivePhotoRequests

extension MaximumSize {
    /// Reads two edges, or one number for both.
    ///
    /// - Parameter option: the option, for the error.
    init(edges text: String, of option: String) throws(UsageError) {
        guard let maximum = MaximumSize(text: wholeNumber(text).map { "\($0)x\($0)" } ?? text) else {
            throw UsageError(
                "\(option): \(quoted(text)) is not a size; write \(MaximumSize.allowed), or one number for both")
        }
        self = maximum
    }
}
