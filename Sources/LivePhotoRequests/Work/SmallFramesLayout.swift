import MediaModel

/// The part of a clip of which all frames are shown, and how large.
package struct SmallFramesLayout: Sendable, Hashable, Codable {
    /// In the clip. The frame that is shown at this time is the first.
    package var start: MediaTime
    /// In the clip; nil for its end.
    package var end: MediaTime?
    /// Nil for the usual one.
    package var maximumSize: MaximumSize?
}
