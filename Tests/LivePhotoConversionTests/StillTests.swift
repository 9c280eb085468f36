import FFmpegKit
import Foundation
import LivePhotoConversion
import MediaModel
import StillImage
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Photos of eight flat patches, four in a row, made with programs of the system.
private final class TestPhoto {
    static let patches: [[UInt8]] = [
        [0, 0, 0], [255, 255, 255], [128, 128, 128], [200, 30, 40],
        [40, 160, 60], [50, 60, 180], [224, 172, 140], [60, 50, 40],
    ]
    static let edge = 16

    let path: FilePath
    private let folder: TemporaryFolder

    /// What commands have made, by name, commands and files: many tests need the same photos.
    private static let made = Mutex<[String: Data]>([:])

    /// - Parameters:
    ///   - name: of the photo.
    ///   - commands: what makes it of `in.png`.
    init(_ name: String, _ commands: String..., files: [String: [UInt8]] = [:]) throws {
        folder = try TemporaryFolder()
        path = folder.path.appending(name)
        try write(try Self.patchChart(), "in.png")
        for (name, bytes) in files { try write(Data(bytes), name) }
        guard !commands.isEmpty else { return }
        let recipe = "\(name) \(commands) \(files)"
        if let photo = Self.made.withLock({ $0[recipe] }) {
            try write(photo, name)
            return
        }
        for command in commands { try run(command) }
        let photo = try Data(contentsOf: folder.url.appendingPathComponent(name))
        Self.made.withLock { $0[recipe] = photo }
    }

    private static func patchChart() throws -> Data {
        if let chart = made.withLock({ $0["in.png"] }) { return chart }
        let folder = try TemporaryFolder()
        let rows = (0..<2 * edge).flatMap { y in (0..<4 * edge).flatMap { x in patches[y / edge * 4 + x / edge] } }
        try Data(Array("P6 \(4 * edge) \(2 * edge) 255\n".utf8) + rows)
            .write(to: folder.url.appendingPathComponent("in.ppm"))
        try Program.ffmpeg("-i in.ppm", to: "in.png", in: folder.url)
        let chart = try Data(contentsOf: folder.url.appendingPathComponent("in.png"))
        made.withLock { $0["in.png"] = chart }
        return chart
    }

    private func write(_ data: Data, _ name: String) throws {
        try data.write(to: folder.url.appendingPathComponent(name))
    }

    private func run(_ command: String) throws {
        let quiet = command.hasPrefix("ffmpeg ") ? "ffmpeg -v error -nostdin -y " + command.dropFirst(7) : command
        try Program.run(quiet.split(separator: " ").map(String.init), in: folder.url)
    }

    /// What a command writes to a file.
    func result(_ command: String, _ name: String) throws -> [UInt8] {
        try run(command)
        return Array(try Data(contentsOf: folder.url.appendingPathComponent(name)))
    }

    /// Our JPEG of the photo.
    func jpeg(_ background: BackgroundColor = .black) throws -> [UInt8] {
        try StillEncoder.jpeg(of: try StillDecoder.decode(PhotoFile(path)), quality: 100, background: background)
    }

    /// The patches of a JPEG from left to right, top to bottom, as R'G'B'.
    func patches(of jpeg: [UInt8]) throws -> [[UInt8]] {
        try write(Data(jpeg), "out.jpg")
        let pixels = try result(
            "ffmpeg -i out.jpg -vf scale=flags=accurate_rnd+full_chroma_int -f rawvideo -pix_fmt rgb24 pixels", "pixels"
        )
        let width = try JPEG(jpeg).size.width
        let centers = stride(from: Self.edge / 2, to: pixels.count / 3 / width, by: Self.edge).flatMap { y in
            stride(from: Self.edge / 2, to: width, by: Self.edge).map { (y * width + $0) * 3 }
        }
        return centers.map { Array(pixels[$0..<$0 + 3]) }
    }
}

private func distance(_ some: [[UInt8]], _ others: [[UInt8]]) -> Int {
    guard some.count == others.count else { return .max }
    return zip(some.joined(), others.joined()).map { abs(Int($0) - Int($1)) }.max() ?? .max
}

/// A profile as far as its header says (ICC.1:2022 7.2).
private func profile(_ space: String, size: Int = 132) -> [UInt8] {
    var bytes =
        [0, UInt8(size >> 16), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)] + [UInt8](repeating: 0, count: size - 4)
    bytes.replaceSubrange(8..<9, with: [4])
    bytes.replaceSubrange(12..<24, with: Array("mntr\(space)XYZ ".utf8))
    bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
    return bytes
}

@Suite struct StillTests {
    @Test(arguments: [
        ("p.png", "ffmpeg -i in.png p.png", 3), ("p.png", "ffmpeg -i in.png -pix_fmt rgb48be p.png", 3),
        ("p.png", "ffmpeg -i in.png -pix_fmt rgba64be p.png", 3), ("p.tiff", "ffmpeg -i in.png p.tiff", 3),
        ("p.tiff", "ffmpeg -i in.png -pix_fmt rgb48le p.tiff", 3),
        ("p.tiff", "ffmpeg -i in.png -compression_algo lzw p.tiff", 3),
        ("p.webp", "ffmpeg -i in.png -lossless 1 p.webp", 3), ("p.webp", "ffmpeg -i in.png -quality 100 p.webp", 6),
        ("p.jpg", "ffmpeg -i in.png -q:v 1 -qmin 1 p.jpg", 5), ("p.heic", "heif-enc -q 98 in.png -o p.heic", 5),
        ("p.avif", "avifenc -s 10 --min 0 --max 0 in.png p.avif", 4),
        ("p.avif", "avifenc -s 10 --min 0 --max 0 -y 420 -r limited -d 10 --cicp 1/13/1 in.png p.avif", 5),
        ("p.avif", "avifenc -s 10 -l -y 444 --cicp 1/13/0 in.png p.avif", 3),
        ("odd.txt", "cp in.png odd.txt", 3), ("p%03d.png", "cp in.png p%03d.png", 3),
    ])
    func `the colours of any kind of photo survive`(name: String, command: String, tolerance: Int) throws {
        let photo = try TestPhoto(name, command)
        let found = try photo.patches(of: try photo.jpeg())
        #expect(distance(found, TestPhoto.patches) <= tolerance, "\(found)")
    }

    @Test(arguments: [
        ("p.png", "ffmpeg -i in.png -pix_fmt gray p.png"), ("p.png", "ffmpeg -i in.png -pix_fmt gray16be p.png"),
        ("p.png", "ffmpeg -i in.png -pix_fmt ya8 p.png"), ("p.tiff", "ffmpeg -i in.png -pix_fmt gray p.tiff"),
        ("p.avif", "avifenc -s 10 --min 0 --max 0 -y 400 in.png p.avif"),
        ("p.avif", "avifenc -s 10 --min 0 --max 0 -d 10 -y 400 -r limited in.png p.avif"),
    ])
    func `gray photos are gray`(name: String, command: String) throws {
        let photo = try TestPhoto(name, command)
        let luma = TestPhoto.patches.map { patch -> [UInt8] in
            let y = 0.299 * Double(patch[0]) + 0.587 * Double(patch[1]) + 0.114 * Double(patch[2])
            return Array(repeating: UInt8(y.rounded()), count: 3)
        }
        let found = try photo.patches(of: try photo.jpeg())
        #expect(distance(found, luma) <= 3, "\(found)")
    }

    @Test func `the colours of a palette survive, and so does black and white`() throws {
        let palette = try TestPhoto(
            "p.png",
            "ffmpeg -i in.png -vf split[a][b];[a]palettegen=stats_mode=single[c];[b][c]paletteuse=dither=none p.png")
        #expect(try StillDecoder.decode(PhotoFile(palette.path)).frame.pixelFormat.name == "pal8")
        #expect(distance(try palette.patches(of: try palette.jpeg()), TestPhoto.patches) <= 6)
        let bilevel = try TestPhoto(
            "p.png", "ffmpeg -i in.png -vf lutyuv=y=if(gt(val\\,127)\\,255\\,0) -pix_fmt monob p.png")
        let found = try bilevel.patches(of: try bilevel.jpeg())
        #expect(found[0].allSatisfy { $0 < 5 } && found[1].allSatisfy { $0 > 250 })
    }

    private static let backgrounds = ["black", "white", "blue", "1E90FF"]

    @Test(
        arguments: [
            ("p.png", "cp a.png p.png"), ("p.png", "ffmpeg -i a.png -pix_fmt rgba64be p.png"),
            ("p.webp", "ffmpeg -i a.png -lossless 1 p.webp"), ("p.webp", "ffmpeg -i a.png -quality 100 p.webp"),
            ("p.tiff", "ffmpeg -i a.png -pix_fmt rgba p.tiff"),
            ("p.avif", "avifenc -s 10 --min 0 --max 0 -y 420 a.png p.avif"),
            ("p.avif", "avifenc -s 10 --min 0 --max 0 -y 444 -d 10 a.png p.avif"),
            ("p.avif", "avifenc -s 10 --min 0 --max 0 -y 444 --premultiply a.png p.avif"),
            ("p.avif", "avifenc -s 10 --min 0 --max 0 -y 420 -d 10 --cicp 1/13/1 --premultiply a.png p.avif"),
            ("p.heic", "heif-enc -q 98 -p chroma=444 a.png -o p.heic"),
        ], backgrounds)
    func `what is half transparent is half the background`(photo: (String, String), background: String) throws {
        let (name, command) = photo
        let photo = try TestPhoto(
            name, "ffmpeg -i in.png -vf format=rgba,colorchannelmixer=aa=0.5 -pix_fmt rgba a.png", command)
        let background = try BackgroundColor(background)
        // 0.5 becomes 128 of 255, or 127.
        let mix = TestPhoto.patches.map { patch in
            zip(patch, [background.red, background.green, background.blue]).map { UInt8((Int($0) + Int($1)) / 2) }
        }
        let found = try photo.patches(of: try photo.jpeg(background))
        #expect(distance(found, mix) <= 5, "\(found)")
    }

    @Test(arguments: backgrounds) func `what is wholly transparent is the background, whatever colour hides in it`(
        background: String
    ) throws {
        let background = try BackgroundColor(background)
        let photo = try TestPhoto("p.png", "ffmpeg -i in.png -vf format=rgba,colorchannelmixer=aa=0 p.png")
        let expected = [[UInt8]](
            repeating: [background.red, background.green, background.blue], count: TestPhoto.patches.count)
        #expect(distance(try photo.patches(of: try photo.jpeg(background)), expected) <= 2)
    }

    @Test(arguments: [
        ("ffmpeg -i in.png p.png", "rgb24", false), ("ffmpeg -i in.png -pix_fmt rgba p.png", "rgba", false),
        ("ffmpeg -i in.png -pix_fmt ya16be p.png", "ya16be", false),
        ("ffmpeg -i in.png -vf format=rgba,colorchannelmixer=aa=0.99 p.png", "rgba", true),
        ("ffmpeg -i in.png -vf format=rgba,colorchannelmixer=aa=0.99 -pix_fmt ya8 p.png", "ya8", true),
        ("ffmpeg -i in.png -vf format=rgba,colorchannelmixer=aa=0.99 -pix_fmt rgba64be p.png", "rgba64be", true),
        (
            "ffmpeg -i in.png -vf split[a][b];[a]palettegen=reserve_transparent=1[c];[b][c]paletteuse p.png", "pal8",
            false
        ),
        (
            "ffmpeg -i in.png -vf format=rgba,geq=r=r(X\\,Y):g=9:b=9:a=if(X*Y\\,255),split[a][b];"
                + "[a]palettegen=reserve_transparent=1[c];[b][c]paletteuse p.png", "pal8", true
        ),
    ])
    func `a picture is transparent where its alpha says so, not by its format`(
        command: String, format: String, isTransparent: Bool
    ) throws {
        let photo = try TestPhoto("p.png", command)
        let frame = try StillDecoder.decode(PhotoFile(photo.path)).frame
        #expect(frame.pixelFormat.name == format)
        #expect(frame.isTransparent(in: PixelRectangle(size: frame.size)) == isTransparent)
    }

    // The four rows or columns of patches, by the place that each comes from.
    @Test(arguments: [
        ("--irot 0", [0, 1, 2, 3, 4, 5, 6, 7]), ("--irot 1", [3, 7, 2, 6, 1, 5, 0, 4]),
        ("--irot 2", [7, 6, 5, 4, 3, 2, 1, 0]), ("--irot 3", [4, 0, 5, 1, 6, 2, 7, 3]),
        ("--imir 0", [4, 5, 6, 7, 0, 1, 2, 3]), ("--imir 1", [3, 2, 1, 0, 7, 6, 5, 4]),
        ("--irot 1 --imir 0", [0, 4, 1, 5, 2, 6, 3, 7]), ("--irot 1 --imir 1", [7, 3, 6, 2, 5, 1, 4, 0]),
    ])
    func `AVIF is turned and mirrored as it asks`(options: String, places: [Int]) throws {
        let photo = try TestPhoto("p.avif", "avifenc -s 10 --min 0 --max 0 -y 420 \(options) in.png p.avif")
        let found = try photo.patches(of: try photo.jpeg())
        #expect(distance(found, places.map { TestPhoto.patches[$0] }) <= 6, "\(found)")
    }

    @Test(arguments: [132, 65_519 * 2 + 1])
    func `with a profile of RGB the numbers stay, and it goes into the JPEG byte for byte`(size: Int) throws {
        let profile = profile("RGB ", size: size)
        // The tags of wide primaries must not lead to a conversion.
        let photo = try TestPhoto(
            "p.avif", "avifenc -s 10 --min 0 --max 0 --cicp 12/13/6 --icc icc in.png p.avif", files: ["icc": profile])
        let jpeg = try photo.jpeg()
        #expect(try JPEG(jpeg).iccProfile == profile)
        #expect(distance(try photo.patches(of: jpeg), TestPhoto.patches) <= 4)
        #expect(try photo.result("exiftool -icc_profile -b -w icc out.jpg", "out.icc") == profile)
    }

    @Test(arguments: ["GRAY", "CMYK", "RGB\0"]) func `a profile of anything else is left out`(space: String) throws {
        let photo = try TestPhoto(
            "p.avif", "avifenc -s 10 --icc icc in.png p.avif", files: ["icc": profile(space)])
        #expect(try StillDecoder.decode(PhotoFile(photo.path)).iccProfile == profile(space))
        #expect(try JPEG(try photo.jpeg()).iccProfile == nil)
    }

    @Test func `wide primaries without a profile are converted to sRGB, and HDR is tone-mapped`() throws {
        let wide = try TestPhoto("p.avif", "avifenc -s 10 --min 0 --max 0 -d 10 --cicp 12/13/6 in.png p.avif")
        // P3-D65's green (40, 160, 60) lies outside of what sRGB has of red.
        let green = try wide.patches(of: try wide.jpeg())[4]
        #expect(green[0] < 10 && green[1] > 160, "\(green)")
        // A signal of 255 in PQ is 10,000 cd/m², of 128 is 93 cd/m²: below diffuse white.
        let hdr = try TestPhoto(
            "p.avif", "avifenc -s 10 --min 0 --max 0 -d 10 --cicp 9/16/9 --icc icc in.png p.avif",
            files: ["icc": profile("RGB ")])
        let jpeg = try hdr.jpeg()
        let found = try hdr.patches(of: jpeg)
        #expect(found[1].allSatisfy { $0 > 250 } && found[2].allSatisfy { (140...200).contains($0) }, "\(found)")
        #expect(try JPEG(jpeg).iccProfile == nil)
    }

    @Test(arguments: ["p.png", "p.tiff", "p.webp", "p.jpg"]) func `a photo cut off is an error or the whole picture`(
        name: String
    ) throws {
        let photo = try TestPhoto(name, "ffmpeg -i in.png \(name)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: photo.path.string))
        let whole = try photo.patches(of: try photo.jpeg())
        for count in stride(from: 1, to: bytes.count, by: max(bytes.count / 20, 1)) {
            try bytes.prefix(count).write(to: URL(fileURLWithPath: photo.path.string))
            do {
                let jpeg = try photo.jpeg()
                #expect(distance(try photo.patches(of: jpeg), whole) <= 3, "cut to \(count) of \(bytes.count)")
            } catch let error as LivePhotoError {
                #expect(error.code == .unusableMedia)
            }
        }
    }

    @Test(arguments: [
        ("text", "hello, this is no photo", "is not a photo"), ("none", nil, "no such file"),
        ("empty.png", "", "is empty"), ("movie.mp4", "\0\0\0\u{10}ftypisom\0\0\0\0", "cannot be decoded"),
    ]) func `what is no photo is refused with a sentence`(name: String, content: String?, reason: String) throws {
        let files = content.map { [name: Array($0.utf8)] } ?? [:]
        let photo = try TestPhoto(name, files: files)
        let error = #expect(throws: LivePhotoError.self) { _ = try StillDecoder.decode(PhotoFile(photo.path)) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
}
