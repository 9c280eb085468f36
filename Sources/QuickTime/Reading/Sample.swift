package import MediaModel

/// One sample of a track: a picture, a packet of audio, a piece of metadata.
package struct Sample: Sendable, Hashable {
    /// Its index in decode order, from 0.
    package let index: Int
    /// Its file offset.
    package let offset: Int
    /// In bytes.
    package let size: Int
    /// On the timeline of the media.
    package let decodeTime: MediaTime
    package let duration: MediaTime
    /// When it is presented, on the timeline of the media.
    package let compositionTime: MediaTime
    /// On the movie's timeline, through the edit list; negative for samples before its start.
    package let presentationTime: MediaTime
    /// Whether it is shown, at least partly.
    package let isShown: Bool
    /// Whether decoding can begin with it.
    package let isSync: Bool
}
