import CVidStab
package import MediaModel
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How a picture moved from one frame to the next: what was at `p`, relative to the picture's centre, is at `p` turned by
/// `angle` and shifted by `x` and `y`.
package struct PictureMotion: Sendable, Hashable {
    /// To the right, in pixels.
    package var x: Double
    /// Down, in pixels.
    package var y: Double
    /// Clockwise, in radians.
    package var angle: Double

    package init(x: Double, y: Double, angle: Double) {
        (self.x, self.y, self.angle) = (x, y, angle)
    }

    package static let none = PictureMotion(x: 0, y: 0, angle: 0)
}

/// Measures the motion of a series of pictures with vid.stab. Parts that move by themselves are recognized as outliers.
package final class MotionDetector {
    private let size: PixelSize
    private let detector: UnsafeMutablePointer<VSMotionDetect>
    private let fit: UnsafeMutablePointer<VSTransformData>

    /// The shortest edge of a picture: vid.stab's measurement fields need room.
    package static let shortestEdge = 160

    /// - Parameters:
    ///   - size: of all pictures; at least `shortestEdge`.
    ///   - threads: at least 1.
    package init(size: PixelSize, threads: Int) throws(VidStabError) {
        guard size.shortEdge >= Self.shortestEdge else { throw VidStabError("the pictures are only \(size)") }
        Self.silence
        self.size = size
        var info = VSFrameInfo()
        vsFrameInfoInit(&info, Int32(clamping: size.width), Int32(clamping: size.height), PF_GRAY8)
        detector = .allocate(capacity: 1)
        detector.initialize(to: VSMotionDetect())
        fit = .allocate(capacity: 1)
        fit.initialize(to: VSTransformData())
        var detection = vsMotionDetectGetDefaultConfig(nil)
        detection.shakiness = 8
        detection.accuracy = 15
        detection.numThreads = Int32(clamping: max(threads, 1))
        var model = vsTransformGetDefaultConfig(nil)
        model.verbose = 0
        // VS_OK is 0; Swift cannot read it, as it is a global variable of C.
        guard vsMotionDetectInit(detector, &detection, &info) == 0, vsTransformDataInit(fit, &model, &info, &info) == 0
        else { throw VidStabError("vid.stab cannot be initialized for \(size)") }
    }

    deinit {
        vsMotionDetectionCleanup(detector)
        vsTransformDataCleanup(fit)
        detector.deallocate()
        fit.deallocate()
    }

    /// vid.stab's fit takes numbers of the C library's `rand`, whose state is that of the whole process. They must be the same for
    /// each picture, whatever other detectors do.
    private static let randomNumbers = Mutex(())

    private static let silence: Void = silenceVidStab()

    /// The motion from the picture before to this one; none for the first one, and for pictures that have nothing in common.
    ///
    /// - Parameter luma: row after row without gaps.
    package func motion(to luma: [UInt8]) throws(VidStabError) -> PictureMotion { try measure(luma).motion }

    /// The motion from the picture before to this one, and that of the fields in which it was measured, from top to bottom.
    func measure(_ luma: [UInt8]) throws(VidStabError) -> (motion: PictureMotion, fields: [MeasuredField]) {
        guard luma.count == size.width * size.height else { throw VidStabError("a picture is of another size") }
        var luma = luma
        var motions = LocalMotions()
        let status = luma.withUnsafeMutableBufferPointer { samples in
            var frame = VSFrame()
            frame.data.0 = samples.baseAddress
            frame.linesize.0 = Int32(clamping: size.width)
            return vsMotionDetection(detector, &motions, &frame)
        }
        guard status == 0 else { throw VidStabError("the motion of a picture cannot be measured") }
        defer { vs_vector_del(&motions) }
        // Threads find the fields in any order, and sums of floating-point numbers depend on it.
        var pointers = UnsafeMutableBufferPointer(start: motions.data, count: Int(motions.nelems))
        pointers.sort { MeasuredField.isBefore($0, $1) }
        let fields = pointers.compactMap(MeasuredField.init)
        let found = Self.randomNumbers.withLock { _ in
            srand(1)
            return vsMotionsToTransform(fit, &motions, nil)
        }
        guard found.extra == 0, found.x.isFinite, found.y.isFinite, found.alpha.isFinite else { return (.none, fields) }
        // vid.stab says where the content of this picture was in the one before.
        let (cosine, sine) = (cos(found.alpha), sin(found.alpha))
        let motion = PictureMotion(
            x: sine * found.y - cosine * found.x, y: -sine * found.x - cosine * found.y, angle: found.alpha)
        return (motion, fields)
    }
}

/// A small part of a picture that was found in the picture before, in whole pixels.
struct MeasuredField: Sendable {
    /// Its centre in this picture.
    let x, y: Int
    /// The length of its edges.
    let size: Int
    /// How far to the right and down it was in the picture before.
    let offset: (x: Int, y: Int)

    /// - Parameter element: of vid.stab's `LocalMotions`.
    fileprivate init?(_ element: UnsafeMutableRawPointer?) {
        guard let motion = element?.assumingMemoryBound(to: LocalMotion.self).pointee else { return nil }
        (x, y, size) = (Int(motion.f.x), Int(motion.f.y), Int(motion.f.size))
        offset = (Int(motion.v.x), Int(motion.v.y))
    }

    /// Whether an element of `LocalMotions` is above another one, or to its left.
    fileprivate static func isBefore(_ first: UnsafeMutableRawPointer?, _ second: UnsafeMutableRawPointer?) -> Bool {
        guard let first = Self(first), let second = Self(second) else { return false }
        return (first.y, first.x, first.size) < (second.y, second.x, second.size)
    }
}

/// Why motion could not be measured: one sentence.
package struct VidStabError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
