import FFmpegKit
import LivePhotoConversion
import MediaModel
import Testing

private func video(
    _ width: Int, _ height: Int, sar: AspectRatio = AspectRatio(1, 1), _ orientation: Orientation = .upright,
    aperture: CleanAperture? = nil, format: PixelFormat = PixelFormat(name: "yuv420p")
) -> VideoParameters {
    var video = VideoParameters(
        codedSize: PixelSize(width: width, height: height), sampleAspectRatio: sar, orientation: orientation,
        pixelFormat: format, color: .bt709, averageFrameRate: .whole(30))
    video.cleanAperture = aperture
    return video
}

private func crop(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Framing {
    Framing(crop: PixelRectangle(x: x, y: y, size: PixelSize(width: width, height: height)))
}

@Suite struct FramingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let video: VideoParameters
        let framing: Framing
        /// Of the stored picture.
        let part: String
        let photo: String
        let movie: String
        /// Where the picture is in the movie; nil is everywhere.
        var place: String?
        var testDescription: String { "\(video.codedSize) \(video.orientation), \(framing): \(movie)" }
    }

    @Test(arguments: [
        Case(
            video: video(1920, 1080), framing: crop(100, 50, 301, 201), part: "100,50,301,201", photo: "301x201",
            movie: "300x200"),
        Case(
            video: video(1920, 1080), framing: Framing(shape: .fill(AspectRatio(1, 1))), part: "420,0,1080,1080",
            photo: "1080x1080", movie: "1080x1080"),
        Case(
            video: video(1080, 1920), framing: Framing(shape: .fill(AspectRatio(3, 4))), part: "0,240,1080,1440",
            photo: "1080x1440", movie: "1080x1440"),
        Case(
            video: video(1920, 1080), framing: Framing(shape: .fit(AspectRatio(1, 1))), part: "0,0,1920,1080",
            photo: "1920x1920", movie: "1080x1080", place: "0,236,1080,608"),
        Case(
            video: video(640, 480), framing: Framing(shape: .fit(AspectRatio(16, 9))), part: "0,0,640,480",
            photo: "853x480", movie: "852x480", place: "106,0,640,480"),
        Case(
            video: video(3840, 2160),
            framing: Framing(
                crop: PixelRectangle(x: 960, y: 0, size: PixelSize(width: 1920, height: 2160)),
                shape: .fill(AspectRatio(1, 1))), part: "960,120,1920,1920", photo: "1920x1920", movie: "1080x1080"),
        // What is at the left of the upright picture is stored at the bottom, and so on.
        Case(
            video: video(640, 360, .rotated90Clockwise), framing: crop(0, 0, 100, 200), part: "0,260,200,100",
            photo: "100x200", movie: "100x200"),
        Case(
            video: video(640, 360, .rotated90Counterclockwise), framing: crop(0, 0, 100, 200), part: "440,0,200,100",
            photo: "100x200", movie: "100x200"),
        Case(
            video: video(640, 360, .rotated180), framing: crop(0, 0, 100, 200), part: "540,160,100,200",
            photo: "100x200", movie: "100x200"),
        Case(
            video: video(640, 360, .mirrored), framing: crop(0, 0, 100, 200), part: "540,0,100,200", photo: "100x200",
            movie: "100x200"),
        Case(
            video: video(640, 360, .transposed), framing: crop(0, 0, 100, 200), part: "0,0,200,100", photo: "100x200",
            movie: "100x200"),
        Case(
            video: video(720, 576, sar: AspectRatio(16, 15)), framing: crop(384, 0, 384, 576), part: "360,0,360,576",
            photo: "384x576", movie: "384x576"),
        // 16:9 DV as QuickTime writes it: 702 of 720 pixels a row are meant to be seen.
        Case(
            video: video(
                720, 576, sar: AspectRatio(59, 54), aperture: CleanAperture(x: 8.55, y: 0, width: 702.9, height: 576)),
            framing: Framing(), part: "9,0,702,576", photo: "768x576", movie: "768x576"),
        Case(
            video: video(1920, 1440, aperture: CleanAperture(x: 88, y: 66, width: 1744, height: 1308)),
            framing: crop(10, 20, 100, 100), part: "98,86,100,100", photo: "100x100", movie: "100x100"),
    ])
    func `crop, fill and fit take and show what they say, of what is seen upright`(test: Case) throws {
        let geometry = try PictureGeometry(
            test.video, maximum: try MaximumSize("1920x1080"), framing: test.framing)
        #expect(geometry.part.description == test.part)
        #expect(geometry.photo.size.description == test.photo)
        #expect(geometry.movie.size.description == test.movie)
        let whole = PixelRectangle(size: geometry.movie.size)
        #expect(geometry.movie.picture.description == test.place ?? whole.description)
    }

    @Test(arguments: [crop(0, 0, 1921, 1080), crop(1900, 0, 21, 10), crop(0, 1080, 10, 1), crop(-1, 0, 10, 10)])
    func `a part that is not inside of the picture is an error`(framing: Framing) throws {
        #expect(throws: FramingError.self) {
            try PictureGeometry(video(1920, 1080), maximum: try MaximumSize("1920x1080"), framing: framing)
        }
    }

    @Test(arguments: [
        ("1:1", AspectRatio(1, 1)), ("16:9", AspectRatio(16, 9)), ("9x16", AspectRatio(9, 16)),
        ("1080x1440", AspectRatio(3, 4)), ("20:1", AspectRatio(20, 1)), ("9:19.5", AspectRatio(6, 13)),
        ("2.39:1", AspectRatio(239, 100)),
    ])
    func `shapes are written as two numbers`(text: String, shape: AspectRatio) throws {
        #expect(try AspectRatio(text) == shape)
        #expect(try AspectRatio(shape.description) == shape)
    }

    @Test(arguments: ["", "16", "16:", ":9", "0:1", "1:0", "21:1", "1:21", "-4:3", "4:3:2", "4.0001:3", "4.:3", "a:b"])
    func `what is no shape is refused`(text: String) {
        #expect(throws: LivePhotoError.self) { try AspectRatio(text) }
    }

    @Test(arguments: ["", "1,2,3", "1,2,3,4,5", "1,2,0,4", "1,2,3,0", "-1,2,3,4", "1, 2,3,4", "a,b,c,d"])
    func `what is no part of a picture is refused`(text: String) throws {
        #expect(throws: LivePhotoError.self) { try PixelRectangle(text) }
        #expect(try PixelRectangle("200,0,1080,1080").description == "200,0,1080,1080")
    }

    @Test(arguments: [
        (crop(1, 0, 10, 10), true), (crop(0, 0, 11, 10), true), (crop(0, 3, 10, 10), true),
        (crop(2, 4, 10, 10), false),
    ])
    func `only a part that cuts through chroma samples needs them spread out first`(framing: Framing, isCut: Bool)
        throws
    {
        let video = video(640, 480)
        let geometry = try PictureGeometry(video, maximum: try MaximumSize("1920x1080"), framing: framing)
        let filters = PictureFilters(video, geometry, to: .movie(geometry)).description
        #expect(filters.contains("format=yuv444p,crop=") == isCut)
    }
}
