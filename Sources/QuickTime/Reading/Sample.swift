package import MediaModel

/// One sample of a track: a picture, a packet of audio, a piece of metadata.
package struct Sample: Sendable, Hashable {
    /// Its place in decode order, from 0.
    package let index: Int
    /// Where it stands in the file.
    package let offset: Int
    /// In bytes.
    package let size: Int
    /// On the media's own timeline.
    package let decodeTime: MediaTime
    package let duration: MediaTime
    /// On the movie's timeline, through the edit list; negative for what is cut off before its start.
    package let presentationTime: MediaTime
    /// Whether anything of it is shown.
    package let isShown: Bool
    /// Whether decoding can begin with it.
    package let isSync: Bool
}
