import Foundation
import LivePhotoKit
import MediaModel
import SystemPackage
import TestSupport
import Testing

@Suite struct FileMetadataTests {
    private static let sidecar = #"{"photoTakenTime": {"timestamp": "1757677510"}}"#
    private static let date = "2025-09-12T11:45:10+0000"

    /// What is found for a file, which need not exist.
    private func metadata(of name: String, files: [String: String]) throws -> FileMetadata {
        let folder = try TemporaryFolder()
        for (file, content) in files { try Data(content.utf8).write(to: folder.url.appending(path: file)) }
        return FileMetadata(of: FilePath(folder.url.path).appending(name))
    }

    @Test(arguments: [
        ("IMG_1.MP4", "IMG_1.MP4.json"), ("IMG_1.MP4", "IMG_1.MP4.supplemental-metadata.json"),
        ("IMG_1.MP4", "IMG_1.MP4.supplemental-meta.json"), ("IMG_1.MP4", "IMG_1.MP4.s.json"),
        ("IMG_1.MP4", "IMG_1.MP4..json"), ("IMG_1.MP4", "IMG_1.json"),
        ("a-clip-with-a-long-name-for-takeout-holiday.mp4", "a-clip-with-a-long-name-for-takeout-holiday.mp.json"),
        ("a-clip-with-a-long-name-for-takeout.mp4", "a-clip-with-a-long-name-for-takeout.mp4.supple.json"),
        ("IMG_1(1).MP4", "IMG_1.MP4(1).json"), ("IMG_1(1).MP4", "IMG_1.MP4.supplemental-metadata(1).json"),
        ("IMG_1(1).MP4", "IMG_1(1).MP4.json"), ("IMG_1(12).MP4", "IMG_1.MP4.suppl(12).json"),
        ("IMG_1-edited.MP4", "IMG_1.MP4.json"), ("IMG_1-edited(1).MP4", "IMG_1.MP4(1).json"),
        ("IMG_1-bearbeitet.MP4", "IMG_1.MP4.json"), ("IMG_1-Modifié(1).MP4", "IMG_1.MP4(1).json"),
        // Movies of Live Photos and of motion photos
        ("IMG_1.MP4", "IMG_1.HEIC.json"), ("IMG_1.MOV", "IMG_1.JPG.supplemental-metadata.json"),
        ("IMG_1(1).MP4", "IMG_1.HEIC.supplemental-metadata(1).json"), ("clip_1.MP", "clip_1.MP.jpg.json"),
        ("clip_1.MP~2", "clip_1.MP.jpg.supplemental-metadata.json"),
    ])
    func `a sidecar is found under every name that Takeout gives it`(name: String, sidecar: String) throws {
        let found = try metadata(of: name, files: [sidecar: Self.sidecar])
        #expect(found.captureDate?.iso8601 == Self.date && found.dateSource == .sidecar && found.warning == nil)
    }

    @Test(arguments: [
        ("IMG_1.MP4", "IMG_1.MP4(1).json"), ("IMG_1(1).MP4", "IMG_1.MP4.json"), ("IMG_1.MP4", "IMG_10.MP4.json"),
        ("IMG_1(1).MP4", "IMG_1.MP4(2).json"), ("IMG_1.MP4", "IMG_1.MOV.json"), ("IMG_1.MP4", ".json"),
    ])
    func `the sidecar of another file is not taken`(name: String, sidecar: String) throws {
        #expect(try metadata(of: name, files: [sidecar: Self.sidecar]).captureDate == nil)
    }

    @Test(arguments: [
        (
            #"{"photoTakenTime": {"timestamp": "1757677510"}, "geoData": {"latitude": 1.5, "longitude": -2.25}}"#,
            date, "+01.5000-002.2500/"
        ),
        (
            #"{"photoTakenTime": {"timestamp": 1757677510}, "geoData": {"latitude": 1, "longitude": 2, "altitude": 3.5}}"#,
            date, "+01.0000+002.0000+003.500/"
        ),
        (
            #"{"geoData": {"latitude": 0.0, "longitude": 0.0}, "geoDataExif": {"latitude": 3, "longitude": 4}}"#,
            nil, "+03.0000+004.0000/"
        ),
        (#"{"geoData": {"latitude": 0.0, "longitude": 0.0, "altitude": 7}, "geoDataExif": []}"#, nil, nil),
        (#"{"geoData": {"latitude": 91, "longitude": 0}}"#, nil, nil),
        (#"{"geoData": {"latitude": "1", "longitude": true}, "photoTakenTime": {"timestamp": "0"}}"#, nil, nil),
        (#"{"photoTakenTime": {"timestamp": "-86400"}}"#, "1969-12-31T00:00:00+0000", nil),
        (#"{"title": "IMG_1.MP4"}"#, nil, nil), ("{}", nil, nil),
    ])
    func `a sidecar has a time and a place, where 0, 0 is none`(text: String, date: String?, place: String?) throws {
        let found = try metadata(of: "IMG_1.MP4", files: ["IMG_1.MP4.json": text])
        #expect(found.captureDate?.iso8601 == date && found.location?.iso6709 == place && found.warning == nil)
    }

    @Test(arguments: [
        ("", "it is not a JSON object"), ("[]", "it is not a JSON object"), ("\u{0}", "it is not a JSON object"),
        (LongText(repeating: "[", count: 100_000), "it is not a JSON object"),
        (LongText(repeating: #"{"photoTakenTime":"#, count: 50_000), "it is not a JSON object"),
        (#"{"photoTakenTime": null}"#, "its photoTakenTime is not a time"),
        (#"{"photoTakenTime": {"timestamp": "yesterday"}}"#, "its photoTakenTime is not a time"),
        (#"{"photoTakenTime": {"timestamp": "99999999999999999999"}}"#, "its photoTakenTime is not a time"),
        (#"{"photoTakenTime": {"timestamp": 9e300}}"#, "its photoTakenTime is not a time"),
        (#"{"photoTakenTime": {"timestamp": "9223372036854775807"}}"#, "its photoTakenTime is not a time"),
        (LongText(sidecar + String(repeating: " ", count: 1 << 20)), "it has more than 1 MiB"),
    ])
    func `a sidecar that cannot be used is ignored with a warning, and the name is used`(
        text: LongText, reason: String
    ) throws {
        let found = try metadata(of: "VID_20250912_134510.mp4", files: ["VID_20250912_134510.mp4.json": text.text])
        #expect(found.warning?.hasSuffix("VID_20250912_134510.mp4.json is ignored: \(reason)") == true)
        #expect(found.captureDate?.iso8601 == "2025-09-12T13:45:10" && found.dateSource == .fileName)
    }

    @Test(arguments: HostileText.all)
    func `hostile text in a sidecar costs no more than ordinary text, and its time is used`(text: HostileText) throws {
        let (time, base) = (try seconds(of: text), try seconds(of: .letters))
        #expect(time <= max(10 * base, 1), "\(time) s, ordinary text \(base) s")
    }

    private func seconds(of text: HostileText) throws -> Double {
        let moment = #""photoTakenTime": {"timestamp": "1757677510"}"#
        let plain = String(decoding: text.bytes(60_000), as: UTF8.self)
        let escaped = plain.utf16.prefix(15_001).map { unit in
            "\\u" + hexadecimal([UInt8(unit >> 8), UInt8(unit & 0xFF)])
        }.joined()
        let began = ContinuousClock.now
        for hostile in [plain, escaped] {
            for member in [#""\#(hostile)": 1, "\#(hostile)b": 2"#, #""description": "\#(hostile)""#] {
                let found = try metadata(of: "IMG_1.MP4", files: ["IMG_1.MP4.json": "{\(member), \(moment)}"])
                #expect(found.captureDate?.iso8601 == Self.date && found.warning == nil)
            }
            let title = #"{"title": "\#(hostile).mp4", \#(moment)}"#
            #expect(try metadata(of: "IMG_1.MP4", files: ["IMG_1.MP4.json": title]).captureDate == nil)
        }
        return (ContinuousClock.now - began) / .seconds(1)
    }

    @Test(arguments: [
        ("IMG_1.MP4", #"IMG_1.MP4"#), ("Gru\u{308}ße.MP4", #"Gru\u0308\u00dfe.MP4"#),
        ("a\u{1F469}b.MP4", #"a\ud83d\udc69b.MP4"#),
        ("a\u{5C}u0041.MP4", #"a\\u0041.MP4"#),
    ])
    func `a title with escapes is that of its file`(name: String, title: String) throws {
        let sidecar = #"{"title": "\#(title)", "photoTakenTime": {"timestamp": "1757677510"}}"#
        #expect(try metadata(of: name, files: ["\(name).json": sidecar]).captureDate?.iso8601 == Self.date)
    }

    @Test func `JSON of another program beside the clip is ignored silently`() throws {
        for text in ["[]", "{", #"{"fps": 30}"#] {
            let found = try metadata(of: "clip.mp4", files: ["clip.json": text])
            #expect(found.captureDate == nil && found.warning == nil)
        }
    }

    @Test func `a folder with a sidecar's name is ignored with a warning`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "a.mp4.json"), withIntermediateDirectories: false)
        let warning = FileMetadata(of: FilePath(folder.url.path).appending("a.mp4")).warning
        #expect(warning?.hasSuffix("a.mp4.json is ignored: it is a folder, not a file") == true)
    }

    @Test(arguments: [
        ("VID_20250912_134510.mp4", "2025-09-12T13:45:10+0200"),
        ("VID_20250912_171530.mp4", "2025-09-12T17:15:10+0530"),
        ("VID_20250911_234510.mp4", "2025-09-11T23:45:10-1200"),
        ("VID_20250912_173010.mp4", "2025-09-12T17:30:10+0545"),
        ("VID_20250912_021510.mp4", "2025-09-12T02:15:10-0930"),
        ("VID_20250912_091510.mp4", "2025-09-12T09:15:10-0230"),
        ("VID_20250912_071510.mp4", "2025-09-12T07:15:10-0430"),
        // Not the same moment in any zone
        ("VID_20250912_170010.mp4", date), ("VID_20250912_124010.mp4", date), ("VID_20250911_223010.mp4", date),
        ("VID_20250912_135210.mp4", date), ("VID_20250914_134510.mp4", date), ("PXL_20250912_114510123.mp4", date),
        ("VID-20250912-WA0001.mp4", date),
    ])
    func `a sidecar's date is in the zone that a local time in the name shows`(name: String, expected: String) throws {
        let found = try metadata(of: name, files: ["\(name).json": Self.sidecar])
        #expect(found.captureDate?.iso8601 == expected && found.dateSource == .sidecar)
    }

    @Test func `a time that cannot be read leaves the place in a sidecar, with a warning`() throws {
        let text = #"{"photoTakenTime": {"timestamp": "x"}, "geoData": {"latitude": 1.5, "longitude": -2.25}}"#
        let found = try metadata(of: "IMG_1.MP4", files: ["IMG_1.MP4.json": text])
        #expect(found.captureDate == nil && found.location?.iso6709 == "+01.5000-002.2500/")
        #expect(found.warning?.hasSuffix("IMG_1.MP4.json is ignored: its photoTakenTime is not a time") == true)
    }

    /// 46 characters.
    private static let long = "a-clip-with-a-long-name-for-takeout-2025-10-12"

    @Test(arguments: [
        ("IMG_1.MP4", "IMG_1.MP4.json", "IMG_1.MP4", true), ("IMG_1(1).MP4", "IMG_1.MP4(1).json", "IMG_1.MP4", true),
        ("IMG_1-edited.MP4", "IMG_1.MP4.json", "IMG_1.MP4", true), ("IMG_1.MP4", "IMG_1.HEIC.json", "IMG_1.HEIC", true),
        ("IMG_1.MP4", "IMG_1.MP4.json", "img_1.mp4", true), ("clip_1.MP", "clip_1.MP.jpg.json", "clip_1.MP.jpg", true),
        ("Tom_s _ Jerry.mp4", "Tom_s _ Jerry.mp4.json", "Tom&#39;s &amp; Jerry.mp4", true),
        ("a_b.mp4", "a_b.mp4.json", "a:b.mp4", true), ("a.b.mp4", "a.b.mp4.json", "a.b", true),
        ("a.mp4", "a.mp4.json", "", true), ("a.mp4", "a.mp4.json", "b.mp4", false),
        ("IMG_1.MP4", "IMG_1.json", "IMG_2.MP4", false), ("IMG_1.MP4", "IMG_1.MP4.json", "IMG_10.MP4", false),
        (long + "-first.mp4", long + ".json", long + "-first.mp4", true),
        (long + "-second.mp4", long + ".json", long + "-first.mp4", false),
        (long + "-second.mp4", long + "(1).json", long + "-second.mp4", true),
        (long + "-second.mp4", long + "(9).json", long + "-first.mp4", false),
        (long + "-.mp4", long + ".json", long + "-first.mp4", true),
        (long + "-first-edi.mp4", long + ".json", long + "-first.mp4", true),
    ])
    func `a sidecar belongs to the file that its title names`(
        name: String, sidecar: String, title: String, isTaken: Bool
    ) throws {
        let text = #"{"title": "\#(title)", "photoTakenTime": {"timestamp": "1757677510"}}"#
        let found = try metadata(of: name, files: [sidecar: text])
        // The long names have a date too.
        #expect((found.dateSource == .sidecar) == isTaken && found.warning == nil)
    }

    @Test func `files with long names that are equal when cut get their own sidecars`() throws {
        func text(_ title: String, _ time: Int) -> String {
            #"{"title": "\#(title)", "photoTakenTime": {"timestamp": "\#(time)"}}"#
        }
        let files = [
            "\(Self.long).json": text("\(Self.long)-first.mp4", 1),
            "\(Self.long)(1).json": text("\(Self.long)-second.mp4", 2),
        ]
        for (name, time) in [
            ("\(Self.long)-first.mp4", 1), ("\(Self.long)-second.mp4", 2), ("\(Self.long)-.mp4", 1),
            ("\(Self.long)-(1).mp4", 2),
        ] {
            #expect(try metadata(of: name, files: files).captureDate?.secondsSince1970 == Int64(time), "\(name)")
        }
    }
}
