/// How pairs are packed as motion photos.
public struct MotionPhotoOptions: Sendable, Hashable {
    /// What to do with the movie's sound.
    public enum Sound: String, Sendable, Hashable, CaseIterable {
        /// AAC-LC at 44.1, 48 or 96 kHz is copied; other sound, which phones do not play, becomes AAC-LC.
        case aac
        /// The motion photo is silent.
        case drop
    }

    /// What to do with the photo.
    public enum PhotoFormat: String, Sendable, Hashable, CaseIterable {
        /// It keeps its format.
        case keep
        /// A HEIC or AVIF becomes a JPEG, because most phones show other motion photos as still pictures.
        case jpeg
    }

    /// What to do with the movie's video.
    public enum VideoFormat: String, Sendable, Hashable, CaseIterable {
        /// It is copied.
        case keep
        /// HEVC becomes H.264, for players without HEVC.
        case h264
    }

    /// Phones whose galleries may look for more than Google's format has. Documentation/Commands.md lists what is added.
    public enum Phone: String, Sendable, Hashable, CaseIterable {
        /// Nothing more.
        case google
        /// In a JPEG without a gain map, a record of the movie as Samsung's cameras write it.
        case samsung
        /// Nothing more.
        case xiaomi
        /// Properties in XMP, and a comment in Exif if the photo has none.
        case oppo
        /// A property in XMP.
        case vivo
        /// Texts at the end of the file, with the frame of the movie that the photo shows. Not together with `samsung`, which
        /// ends the file in another way.
        case huawei
        /// The same as `huawei`.
        case honor
    }

    /// What to do with the movie's sound.
    public var sound: Sound
    /// Whether the content identifier stays in Apple's MakerNote. Otherwise it moves to a property of XMP, because programs
    /// that find it in the MakerNote look for a separate movie; extracting moves it back.
    public var keepsIdentifier: Bool
    /// What to do with the photo.
    public var photoFormat = PhotoFormat.keep
    /// What to do with the movie's video.
    public var videoFormat = VideoFormat.keep
    /// The phones whose additions are written.
    public var phones: Set<Phone> = []

    /// By default, sound is kept, and the identifier moves to XMP.
    public init(sound: Sound = .aac, keepsIdentifier: Bool = false) {
        self.sound = sound
        self.keepsIdentifier = keepsIdentifier
    }
}
