/// What becomes of what the clip says about when, where and with what it was shot.
public enum MetadataMode: String, OptionChoice {
    /// All of it goes into the pair.
    case keep
    /// All but the place.
    case withoutLocation = "no-location"
    /// None of it.
    case discard = "none"

    /// `a metadata mode`, for messages.
    public static let kind = "a metadata mode"
}
