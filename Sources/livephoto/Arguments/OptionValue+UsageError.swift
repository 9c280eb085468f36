import LivePhotoRequests

/// Parses the value of an option; nil if it was not given.
func value<Value: OptionValue>(_ text: String?, of option: String) throws(UsageError) -> Value? {
    guard let text else { return nil }
    do {
        return try Value(text)
    } catch {
        throw UsageError("\(option): \(error)")
    }
}
