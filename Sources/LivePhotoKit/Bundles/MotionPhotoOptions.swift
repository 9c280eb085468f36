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

    /// By default, sound is kept.
    public init(sound: Sound = .aac) {
        self.sound = sound
    }
}
