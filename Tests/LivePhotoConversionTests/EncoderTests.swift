import FFmpegKit
import Foundation
import LivePhotoConversion
import LivePhotoKit
import TestSupport
import Testing

/// What happens where the libraries lack an encoder.
@Suite struct EncoderTests {
    private static let none = AvailableEncoders(video: [.h264], heic: false)

    private func plan(_ request: ConversionRequest, _ encoders: AvailableEncoders = none) throws -> ConversionPlan {
        try Conversion(request.work, ConversionFiles(of: request.work), CancellationFlag(), encoders: encoders).plan()
    }

    private func request(_ preset: String, _ change: (inout Preset) -> Void = { _ in }) throws -> ConversionRequest {
        var request = try ConversionRequest(clip: FilePath(SampleClips.beach()), presetNamed: preset)
        change(&request.preset)
        return request
    }

    private static let noHEVC =
        "this build of FFmpeg has no encoder for HEVC (libx265); install one that has it, or write --video-codec h264"
    private static let noHEIC =
        "libheif has no encoder for HEIC; install its plugin for x265 (libheif-plugin-x265 in Debian), or write "
        + "--photo-format jpeg"

    private static let requests: [(preset: String, codec: VideoCodec, photo: KeyPhotoFormat, reason: String)] = [
        ("modern", .hevc, .heic, noHEVC), ("classic", .hevc, .jpeg, noHEVC), ("modern", .h264, .heic, noHEIC),
        ("classic", .h264, .heic, noHEIC),
    ]

    @Test(arguments: requests)
    func `a conversion says what to install for an encoder that is missing`(
        preset: String, codec: VideoCodec, photo: KeyPhotoFormat, reason: String
    ) throws {
        let request = try request(preset) { ($0.video.codec, $0.photo.format) = (codec, photo) }
        let error = #expect(throws: LivePhotoError.self) { try plan(request) }
        #expect(error?.code == .missingLibrary && error?.reason == reason)
        #expect(try plan(request, .installed).warnings.isEmpty)
    }

    @Test func `what needs no encoder that is missing does without`() throws {
        #expect(try plan(request("classic")).encoder.codec == .h264)
    }

    @Test func `an edit of HEVC makes H.264 and says so, unless HEVC was asked for`() throws {
        let folder = try TemporaryFolder()
        let clip = try SampleClips.hdr("hdr-arib-std-b67-4.mov", "arib-std-b67")
        try Program.run([
            Program.livephoto.path, "convert", clip, "--preset", "modern", "--name", "hdr", "-o", folder.path.string,
        ])
        var request = ConversionRequest(
            editing: folder.path.appending("hdr.HEIC"), folder.path.appending("hdr.MOV"), outputDirectory: folder.path)
        request.preset.adjustments.rotation = .half
        let former = try plan(request)
        #expect(former.encoder.codec == .h264 && !former.keepsHDR && former.isToneMapped)
        let sentences = former.warnings.joined(separator: "\n")
        #expect(
            sentences.contains("the movie was HEVC and is now H.264, as this build of FFmpeg has no encoder for HEVC")
                && sentences.contains("the movie was HDR and photo and movie are SDR, because H.264 cannot keep HDR")
                && sentences.contains("the photo was a HEIC; its edited picture is a JPEG"), "\(sentences)")
        try request.apply(EditRecipe([(.videoCodec, "hevc")]))
        let error = #expect(throws: LivePhotoError.self) { try plan(request) }
        #expect(error?.code == .missingLibrary && error?.reason == Self.noHEVC)
    }

    @Test func `frame processors get SDR, and the movie stays HEVC`() async throws {
        let folder = try TemporaryFolder()
        let clip = try SampleClips.hdr("hdr-arib-std-b67-4.mov", "arib-std-b67")
        try Program.run([
            Program.livephoto.path, "convert", clip, "--preset", "modern", "--name", "hdr", "-o", folder.path.string,
        ])
        let context = try await LivePhotoEditingContext(opening: folder.path.appending("hdr.HEIC"))
        var edit = LivePhotoEdit()
        edit.frameProcessor = { $0.image }
        let result = try await context.save(edit, to: folder.path.appending("out"))
        #expect(result.plan.isToneMapped && result.plan.description.contains("HEVC Main, x265"))
        #expect(result.warnings.map { $0.contains("frame processors need SDR") } == [true])
        edit.frameProcessor = nil
        edit.adjustments.rotation = .half
        (edit.videoCodec, edit.photoFormat) = (.h264, .jpeg)
        let other = try await context.save(edit, to: folder.path.appending("other"))
        #expect(other.photo.extension == "JPG" && other.plan.description.contains("H.264 High, x264"))
        edit.hdr = .keep
        let error = await #expect(throws: LivePhotoError.self) {
            try await context.save(edit, to: folder.path.appending("third"))
        }
        #expect(error?.code == .invalidRequest)
    }
}
