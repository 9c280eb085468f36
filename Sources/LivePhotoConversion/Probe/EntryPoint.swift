package import MediaModel

/// Where reading a clip begins, so that everything wanted of it can be decoded; on the clip's clock.
package struct EntryPoint: Sendable, Hashable {
    /// Where to seek to; nil is the clip's start. A container may land a little before, or, where it finds its way by
    /// guessing, after: that this target leads to the key frame has been tried.
    package let seekTarget: MediaTime?
    /// Presentation time of the key frame from which decoding begins; nil is the first packet.
    package let keyFrame: MediaTime?

    package static let clipStart = EntryPoint(seekTarget: nil, keyFrame: nil)
}
