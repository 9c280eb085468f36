import Bytes
import FFmpegKit
public import LivePhotoKit
import MediaModel
import StillImage

/// How alike a key photo and its movie's frame at the still time are.
public enum KeyPhotoSimilarity {
    /// Long edge of the pictures that are compared, in pixels: enough to tell scenes apart, and so few that cameras may
    /// crop and colour their movies otherwise than their photos. (A pair by an iPhone: 0.73, and 0.38 at 256 pixels;
    /// pictures that have nothing to do with each other: up to 0.11.)
    private static let edge = 32

    /// Decodes both and compares what they show: upright, the photo cropped to the movie's shape, as Photos does.
    /// Blocks while it works.
    ///
    /// - Parameter stillTime: on the movie's timeline.
    /// - Returns: the structural similarity of their brightness, 1 for equal pictures, about 0 for unrelated ones.
    /// - Throws: `LivePhotoError` for what cannot be read or decoded.
    @Sendable
    public static func measure(
        photo: FilePath, movie: FilePath, stillTime: MediaTime
    ) throws(LivePhotoError) -> Double {
        do {
            return try similarity(photo, movie, stillTime)
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(.unusableMedia, movie, "cannot be compared with its photo: \(error)")
        }
    }

    private static func similarity(_ photo: FilePath, _ movie: FilePath, _ stillTime: MediaTime) throws -> Double {
        let reader = try ClipReader(movie, CancellationFlag())
        let comparison = try PhotoComparison(photo, with: reader.picture, edge: edge)
        return try comparison.similarity(to: frame(at: stillTime, of: reader))
    }

    private static func frame(at time: MediaTime, of reader: ClipReader) throws -> Frame {
        let probe = ClipProbe(reader: reader)
        let duration = try probe.duration()
        let wish = Window.Wish(still: time, before: .zero, after: reader.nominalFrameDuration)
        let clip = try probe.describe(try Window(wish, clipDuration: duration), duration: duration)
        let nearest = clip.frameTimes.last { $0 <= time } ?? clip.frameTimes.first ?? time
        var matcher = FrameMatcher<Frame>(wanted: [nearest])
        var found: Frame?
        try ClipDecoder(reader, entry: clip.entry, soundFrom: nil, threads: 1).run(until: time) { frame, time in
            found = matcher.offer(frame, at: time).first?.picture ?? found
            return found == nil
        } onSound: { _ in
            false
        }
        guard let frame = found ?? matcher.finish().first?.picture else {
            throw LivePhotoError(.unusableMedia, reader.path, "its frame at \(time) cannot be decoded; it is damaged")
        }
        return frame
    }
}

/// A photo against which frames of a movie are held: upright, small, cropped to the movie's shape.
final class PhotoComparison {
    private let photo: [UInt8]
    private let size: PixelSize
    private let converter: PictureConverter

    /// - Parameter edge: long edge of the pictures that are compared, in pixels.
    init(_ path: FilePath, with video: VideoParameters, edge: Int) throws {
        let maximum = try MaximumSize("\(edge)x\(edge)")
        let ofMovie = try PictureGeometry(video, maximum: maximum)
        size = ofMovie.movie.size
        converter = PictureConverter(PictureFilters(video, ofMovie, to: .movie(ofMovie)), threads: 1)
        var still = try StillDecoder.decode(path)
        if try PhotoFile.format(path) == .jpeg {
            still.video.orientation = try PhotoMetadata(InputFile(path)).orientation
        }
        let shape = Framing(shape: .fill(AspectRatio(size.width, size.height)))
        let ofPhoto = try PictureGeometry(still.video, maximum: maximum, framing: shape).withMovie(size)
        let filters = PictureFilters(still.video, ofPhoto, to: .movie(ofPhoto))
        photo = try PictureConverter(filters, threads: 1).convert(still.frame).lumaPlane()
    }

    /// From about 0, or below, to 1 for equal pictures.
    func similarity(to frame: Frame) throws -> Double {
        StructuralSimilarity.mean(photo, try converter.convert(frame).lumaPlane(), size: size)
    }
}

/// Structural similarity (Wang et al., 2004) over windows of 8 by 8 samples of 8 bits.
enum StructuralSimilarity {
    private static let window = 8
    private static let step = 4

    /// - Parameters:
    ///   - first: samples row by row.
    ///   - second: as many.
    /// - Returns: the mean over all windows; 1 for pictures smaller than one.
    static func mean(_ first: [UInt8], _ second: [UInt8], size: PixelSize) -> Double {
        var (sum, count) = (0.0, 0)
        for top in stride(from: 0, through: size.height - window, by: step) {
            for left in stride(from: 0, through: size.width - window, by: step) {
                sum += similarity(first, second, row: size.width, left, top)
                count += 1
            }
        }
        return count == 0 ? 1 : sum / Double(count)
    }

    private static func similarity(
        _ first: [UInt8], _ second: [UInt8], row: Int, _ left: Int, _ top: Int
    ) -> Double {
        var (sumOfFirst, sumOfSecond, squaresOfFirst, squaresOfSecond, products) = (0, 0, 0, 0, 0)
        for y in top..<top + window {
            for index in y * row + left..<y * row + left + window {
                let (a, b) = (Int(first[index]), Int(second[index]))
                sumOfFirst += a
                sumOfSecond += b
                squaresOfFirst += a * a
                squaresOfSecond += b * b
                products += a * b
            }
        }
        let count = Double(window * window)
        let (meanOfFirst, meanOfSecond) = (Double(sumOfFirst) / count, Double(sumOfSecond) / count)
        let varianceOfFirst = Double(squaresOfFirst) / count - meanOfFirst * meanOfFirst
        let varianceOfSecond = Double(squaresOfSecond) / count - meanOfSecond * meanOfSecond
        let covariance = Double(products) / count - meanOfFirst * meanOfSecond
        // The constants of the paper, for a range of 255.
        let (c1, c2) = (0.01 * 255 * 0.01 * 255, 0.03 * 255 * 0.03 * 255)
        return (2 * meanOfFirst * meanOfSecond + c1) * (2 * covariance + c2)
            / ((meanOfFirst * meanOfFirst + meanOfSecond * meanOfSecond + c1)
                * (varianceOfFirst + varianceOfSecond + c2))
    }
}
