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
}
