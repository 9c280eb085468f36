public import MediaModel
public import SystemPackage

extension PairContainer {
    /// What a pair can be put into.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case pvt, livp
        /// Google's Motion Photo 1.0.
        case motionPhoto = "motion-photo"
    }

    /// Puts a photo and its movie into one file, or folder for `.pvt`, which comes to its place whole or not at all.
    /// Where what would be written stands already, nothing is.
    ///
    /// The photo's picture and the movie are copied byte for byte. In a motion photo XMP comes to the photo, or changes
    /// there, and a movie that the photo has already is left out; a movie that does not begin with `ftyp`, as players of
    /// motion photos want it, gets one, and its `moov` comes last.
    ///
    /// - Parameters:
    ///   - stillTime: when in the movie the photo was taken; nil where nobody knows. Motion photos say it, of the
    ///     others the movie itself.
    ///   - target: the folder that it stands in is made when missing.
    ///   - replacesExisting: whether something else at the target is replaced; a folder only by a folder, and only if
    ///     its name ends in `.pvt`.
    /// - Returns: whether anything was written.
    /// - Throws: `LivePhotoError`, of code `outputExists` where something else stands there.
    @discardableResult
    public static func pack(
        photo: FilePath, movie: FilePath, stillTime: MediaTime?, as format: Format, to target: FilePath,
        replacesExisting: Bool = false
    ) throws(LivePhotoError) -> Bool {
        let packed = try PackedPair(photo: photo, movie: movie, stillTime: stillTime, as: format)
        if packed.stands(at: target) { return false }
        try packed.write(to: target, replacing: replacesExisting)
        return true
    }
}
