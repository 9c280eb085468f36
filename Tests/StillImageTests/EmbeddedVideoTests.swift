import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

@Suite struct EmbeddedVideoTests {
    private func video(_ bytes: [UInt8]) throws -> EmbeddedVideo? {
        try EmbeddedVideo(PhotoReader(inputFile(bytes)))
    }

    @Test(
        arguments: [
            (
                "G:MotionPhoto='1' G:MotionPhotoPresentationTimestampUs='2968555'",
                directoryItem("Primary", "I:Length='0'") + directoryItem("MotionPhoto", "I:Length='24'"), 0,
                .motionPhoto, 2_968_555
            ),
            (
                "G:MotionPhoto='1' G:MotionPhotoPresentationTimestampUs='-1'",
                directoryItem("Primary", "I:Padding='9'") + directoryItem("GainMap", "I:Length='5'")
                    + directoryItem("MotionPhoto", "I:Length='24' I:Padding='3'"), 3, .motionPhoto, nil
            ),
            (
                "",
                "<r:li><C:Item I:Semantic='MotionPhoto' I:Length='24'/></r:li>"
                    + "<r:li I:Semantic='Other' I:Length='7'/>", 7, .motionPhoto, nil
            ),
            ("G:MicroVideo='1' G:MicroVideoOffset='24' G:MicroVideoPresentationTimestampUs='0'", "", 0, .microVideo, 0),
            (
                "G:MotionPhoto='1' G:MicroVideo='1' G:MicroVideoOffset='24'", directoryItem("Primary", ""), 0,
                .microVideo, nil
            ),
        ] as [(String, String, Int, EmbeddedVideo.Kind, Int64?)])
    func `XMP says how far from the end the movie is`(
        attributes: String, items: String, behind: Int, kind: EmbeddedVideo.Kind, microseconds: Int64?
    ) throws {
        let photo = sampleJPEG(xmpSegment(googleXMP(attributes, items)))
        let video = try #require(try video(photo + shortMovie + [UInt8](repeating: 0, count: behind)))
        #expect(video.kind == kind)
        #expect(video.range == photo.count..<photo.count + 24)
        #expect(video.presentationTime == microseconds.map { MediaTime(value: $0, timescale: 1_000_000) })
    }

    @Test func `Samsung's trailer goes before XMP, whose lengths are often wrong`() throws {
        let trailer = samsungTrailer(shortMovie + shortMovie)
        let wrong = trailer.count - trailer.count(before: shortMovie) - shortMovie.count
        let xmp = googleXMP(
            "G:MotionPhotoPresentationTimestampUs='5'", directoryItem("MotionPhoto", "I:Length='\(wrong)'"))
        let file = sampleJPEG(xmpSegment(xmp)) + trailer
        let video = try #require(try video(file))
        #expect(video.kind == .samsung)
        #expect(Array(file[video.range]) == shortMovie + shortMovie)
        #expect(video.presentationTime == MediaTime(value: 5, timescale: 1_000_000))
    }

    @Test func `the movie of a HEIC is in the box mpvd, and Samsung says where in it`() throws {
        var sample = SampleHEIF(name: "motion photo", xmp: googleXMP("", directoryItem("MotionPhoto", "I:Length='68'")))
        let start = sample.bytes.count + 8
        sample.appended = box("mpvd", shortMovie)
        #expect(try video(sample.bytes)?.kind == .motionPhotoBox)
        #expect(try video(sample.bytes)?.range == start..<start + 24)
        let place = Array("mpv2".utf8) + little(start).reversed() + little(24).reversed()
        sample.appended = box("mpvd", shortMovie + samsungTrailer(place))
        #expect(try video(sample.bytes)?.kind == .samsung)
        #expect(try video(sample.bytes)?.range == start..<start + 24)
        // A trailer that is wrong leaves the box.
        sample.appended = box("mpvd", shortMovie + samsungTrailer(place.dropLast() + [25], recordType: 1))
        #expect(try video(sample.bytes)?.kind == .motionPhotoBox)
    }

    @Test func `a photo without a movie has none`() throws {
        let trailer = samsungTrailer(Array("data".utf8), type: 0x0A31)
        for photo in [
            sampleJPEG(jfif),
            sampleJPEG(xmpSegment(googleXMP("G:MotionPhoto='0'", directoryItem("MotionPhoto", "I:Length='1'")))),
            sampleJPEG(xmpSegment(googleXMP("G:MicroVideo='0' G:MicroVideoOffset='24'"))),
            sampleJPEG(
                xmpSegment(googleXMP("", directoryItem("Primary", "") + directoryItem("GainMap", "I:Length='3'")))),
            sampleJPEG(jfif) + trailer, SampleHEIF(name: "still").bytes,
        ] { #expect(try video(photo) == nil) }
    }

    @Test(
        arguments: [
            ("G:MicroVideoOffset='23'", "", .missing), ("G:MicroVideoOffset='3'", "", .missing),
            ("G:MicroVideoOffset='0'", "", .invalidValue), ("G:MicroVideoOffset='x'", "", .invalidValue),
            ("G:MicroVideoOffset='-24'", "", .invalidValue),
            ("G:MicroVideoOffset='9223372036854775807'", "", .invalidValue),
            ("", directoryItem("MotionPhoto", ""), .invalidValue),
            ("", directoryItem("MotionPhoto", "I:Length='24' I:Padding='9223372036854775807'"), .invalidValue),
            (
                "",
                directoryItem("MotionPhoto", "I:Length='24'")
                    + String(repeating: directoryItem("Other", "I:Length='9223372036854775807'"), count: 9),
                .invalidValue
            ),
        ] as [(String, String, ParseError.Code)])
    func `XMP that points where no movie is says so`(attributes: String, items: String, code: ParseError.Code) {
        let photo = sampleJPEG(xmpSegment(googleXMP(attributes, items))) + shortMovie
        let error = #expect(throws: ParseError.self) { try video(photo) }
        #expect(error?.code == code)
    }

    @Test func `a trailer with any byte changed is read or refused, and what is read is a movie`() throws {
        let photo = sampleJPEG(jfif)
        let trailer = samsungTrailer(shortMovie)
        for index in trailer.indices {
            for value in [0, 0x7F, 0xFF] as [UInt8] {
                var bytes = trailer
                bytes[index] = value
                guard let video = try? video(photo + bytes) else { continue }
                #expect((photo + bytes)[video.range].dropFirst(4).starts(with: "ftyp".utf8), "byte \(index): \(value)")
            }
        }
        for count in 0..<trailer.count { _ = try? video(photo + trailer.suffix(count)) }
        for tail in ["SEFT", "\u{0}\u{0}\u{0}\u{0}SEFT", "\u{7F}\u{7F}\u{7F}\u{7F}SEFT"] {
            #expect(throws: ParseError.self) { try video(photo + Array(tail.utf8)) }
        }
    }
}
