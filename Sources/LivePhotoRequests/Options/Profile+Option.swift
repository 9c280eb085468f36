public import LivePhotoKit

extension Profile: OptionChoice {
    /// `a profile`, for messages.
    public static let kind = "a profile"
}
