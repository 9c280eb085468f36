import FFmpegKit
package import MediaModel

extension ConversionPlan {
    /// - Parameter memory: bytes that this process may use; nil if they are not limited.
    package static func encodersAtOnce(_ size: PixelSize, threads: Int, memory: Int?) -> Int {
        guard let memory else { return threads }
        return min(max(memory / encodingShare / (size.width * size.height * bytesPerPixel), 1), threads)
    }

    /// Pictures from one key frame to the next.
    var picturesOfGroup: Int { Self.picturesOfGroup(frames: frameCount, longest: encoder.keyFrameInterval) }

    /// An even number of groups of about the same size, so that two cores end at about the same time: those that most
    /// machines have at least, because the movie must not depend on the machine.
    ///
    /// - Parameter longest: from 2 on.
    package static func picturesOfGroup(frames: Int, longest: Int) -> Int {
        let groups = 2 * ((frames + 2 * longest - 1) / (2 * longest))
        return max((frames + groups - 1) / max(groups, 1), 2)
    }

    /// Pictures that wait for each encoder. If all of a group do, the next encoder can begin.
    var waitingPictures: Int {
        guard encodersAtOnce > 1 else { return 1 }
        let picture = movieSize.width * movieSize.height * 3 / 2
        return min(max(Self.waitingMemory / max(picture, 1), 1), encoder.keyFrameInterval)
    }

    /// Encoders get a third of the memory: the decoder needs as much, and libraries and the photo.
    private static var encodingShare: Int { 3 }
    /// What an encoder needs with the preset `faster`, and the pictures that wait for it.
    private static var bytesPerPixel: Int { 64 }
    /// Five pictures of 1080p. More would only cost memory: an encoder itself takes some before it returns the first.
    private static var waitingMemory: Int { 16 << 20 }
}
