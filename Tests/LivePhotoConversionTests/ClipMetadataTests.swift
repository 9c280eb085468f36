import LivePhotoConversion
import MediaModel
import Testing

@Suite struct ClipMetadataTests {
    @Test(
        arguments: [
            (
                [
                    "com.apple.quicktime.creationdate": "2025-01-01T11:06:46+0900",
                    "creation_time": "2025-01-01T02:06:46Z",
                ], "2025-01-01T11:06:46+0900"
            ),
            (["creation_time": "2017-02-22T08:20:28.000000Z"], "2017-02-22T08:20:28+0000"),
            (["DATE_RECORDED": "2019-05-01T10:00:00"], "2019-05-01T10:00:00"),
            (
                ["com.apple.quicktime.creationdate": "yesterday", "creation_time": "2017-02-22T08:20:28Z"],
                "2017-02-22T08:20:28+0000"
            ),
            (["com.apple.quicktime.location.ISO6709": "+35.7143+139.7963+007.400/"], "+35.7143+139.7963+007.400/"),
            (["location": "+51.4169-000.0806/", "location-eng": "+1+1/"], "+51.4169-000.0806/"),
            (
                ["com.apple.quicktime.make": "Apple", "com.apple.quicktime.model": "iPhone 15 Plus"],
                "Apple, iPhone 15 Plus"
            ),
            (["com.android.manufacturer": "Google", "com.android.model": "Pixel 7"], "Google, Pixel 7"),
            (["make": "Canon\u{0}\n", "MODEL": "EOS"], "Canon, EOS"),
        ] as [([FileText: FileText], String)])
    func `what the clip says is read from whatever names its writer used`(tags: [FileText: FileText], expected: String)
    {
        #expect(ClipMetadata(tags: tags).description == expected)
    }

    @Test(
        arguments: [
            [:], ["creation_time": "1904-01-01T00:00:00Z"], ["creation_time": "1970-01-01T00:00:00Z"], ["date": "2014"],
            ["location": "home"], ["make": ""], ["encoder": "Lavf59.27.100"],
        ] as [[FileText: FileText]])
    func `what the clip does not say is not invented`(tags: [FileText: FileText]) {
        #expect(ClipMetadata(tags: tags) == ClipMetadata())
    }

    @Test func `a hostile tag is kept short`() {
        #expect(ClipMetadata(tags: ["make": FileText(String(repeating: "x", count: 1 << 20))]).make?.count == 128)
    }

    @Test(arguments: [
        ("VID_20250912_134510.mp4", "2025-09-12T13:45:10", false),
        ("PXL_20250912_114510123.mp4", "2025-09-12T11:45:10+0000", false),
        ("PXL_20250912_114510123.NIGHT.mp4", "2025-09-12T11:45:10+0000", true), ("VID-20250912-WA0001.mp4", nil, false),
        ("clip.mp4", nil, false),
    ])
    func `the time in a name corrects the clip's date if it has one`(name: String, date: String?, precedes: Bool) {
        let time = OutsideMetadata.NameTime(inName: name)
        #expect(time?.date.iso8601 == date)
        #expect(time?.precedesProcessing ?? false == precedes)
    }

    /// The clip's date in UTC, the date in its name, whether that is the time before a long processing, and the result.
    @Test(
        arguments: [
            ("2025-09-12T11:45:10Z", "2025-09-12T13:45:10", false, "2025-09-12T13:45:10+0200"),
            ("2025-09-12T11:45:40Z", "2025-09-12T13:45:10", false, "2025-09-12T13:45:40+0200"),
            ("2025-09-12T11:45:10Z", "2025-09-12T17:15:10", false, "2025-09-12T17:15:10+0530"),
            ("2025-09-12T11:45:10Z", "2025-09-12T13:59:10", false, "2025-09-12T11:45:10+0000"),
            ("2025-09-12T13:45:10+02:00", "2025-09-12T14:45:10", false, "2025-09-12T13:45:10+0200"),
            ("2025-09-12T11:47:30Z", "2025-09-12T11:45:10Z", true, "2025-09-12T11:45:10+0000"),
            ("2025-09-12T11:47:30Z", "2025-09-12T11:45:10Z", false, "2025-09-12T11:47:30+0000"),
            ("2025-09-14T11:47:30Z", "2025-09-12T11:45:10Z", true, "2025-09-14T11:47:30+0000"),
        ])
    func `a name gives the zone or the moment of a date in UTC`(
        own: String, name: String, precedes: Bool, result: String
    ) throws {
        var outside = OutsideMetadata()
        outside.nameTime = OutsideMetadata.NameTime(
            date: try #require(CaptureDate(iso8601: name)), precedesProcessing: precedes)
        let clip = ClipMetadata(captureDate: CaptureDate(iso8601: own))
        #expect(clip.completed(by: outside).captureDate?.iso8601 == result)
    }
}
