/// How pairs are packed as motion photos.
public struct MotionPhotoOptions: Sendable, Hashable {
    /// What to do with the movie's sound.
    public enum Sound: String, Sendable, Hashable, CaseIterable {
        /// AAC-LC at 44.1, 48 or 96 kHz is copied. Other sound, which phones do not play, is an error.
        case aac
        /// The motion photo is silent.
        case drop
    }

    /// What to do with the movie's sound.
    public var sound: Sound
    /// Whether the content identifier stays in Apple's MakerNote. Otherwise it moves to a property of XMP, because programs
    /// that find it in the MakerNote look for a separate movie; extracting moves it back.
    public var keepsIdentifier: Bool

    /// By default, sound is kept, and the identifier moves to XMP.
    public init(sound: Sound = .aac, keepsIdentifier: Bool = false) {
        self.sound = sound
        self.keepsIdentifier = keepsIdentifier
    }
}
