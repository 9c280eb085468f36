public import LivePhotoKit
import MediaModel
import SystemPackage

/// A part of a clip of which all frames are shown small, as to find one of them by hand.
public struct SmallFramesRequest: Sendable, Hashable {
    /// The clip: a local file that FFmpeg can read.
    public var clip: FilePath
    /// Where to open the clip, if `clip` is only its name in texts.
    package var openedClip: FilePath?
    /// Where the part starts in the clip. The frame that is shown at this time is the first.
    public var start = MediaTime.zero
    /// Where the part ends in the clip; nil for the end of the clip. A part of more than `SmallFrames.mostFrames` is cut.
    public var end: MediaTime?
    /// The maximum size of a picture; nil for 640 by 640 pixels. Smaller pictures keep their size.
    public var maximumSize: MaximumSize?
    /// Number of threads for decoding and for encoding; nil is one for each core.
    public var threads: Int?

    /// The first frames of a clip.
    ///
    /// - Parameter clip: the clip.
    public init(clip: FilePath) { self.clip = clip }
}

extension SmallFramesRequest {
    var work: Work {
        var work = ClipWork(clip, .classic, to: ".")
        (work.openedClip, work.threads) = (openedClip, threads)
        return .smallFrames(work, SmallFramesLayout(start: start, end: end, maximumSize: maximumSize))
    }

    /// Checks what can be checked before the clip is read.
    ///
    /// - Throws: `LivePhotoError`.
    func check() throws(LivePhotoError) {
        if openedClip == nil { try InputFileCheck.checkClip(clip) }
    }
}
