import MediaModel
import Testing

@Suite struct StatedDateTests {
    @Test(arguments: [
        ("2012:05:05 13:45:10", "2012-05-05T13:45:10"), ("2012:05:05 13:45:10 \0", "2012-05-05T13:45:10"),
        ("2012:05:05 13:45:10Z", "2012-05-05T13:45:10+0000"), ("2012:05:05 13:45:10.25", "2012-05-05T13:45:10"),
        ("2012:05:05 13:45:10+02:00", "2012-05-05T13:45:10+0200"), ("2012:05:05 13:45", "2012-05-05T13:45:00"),
        ("2012-05-05 13:45:10", "2012-05-05T13:45:10"), ("2012/05/05 13:45:10", "2012-05-05T13:45:10"),
        ("2012-05-05T13:45:10.5-0330", "2012-05-05T13:45:10-0330"), ("2012:05:05", "2012-05-05T12:00:00"),
        (" 2012-05-05 ", "2012-05-05T12:00:00"),
    ])
    func `a date is read in the forms that programs write`(text: String, expected: String) {
        #expect(StatedDate(FileText(text))?.date?.iso8601 == expected)
    }

    @Test(arguments: ["", " ", "\0", "0000:00:00 00:00:00", "    :  :     :  :  ", "0000-00-00T00:00:00Z"])
    func `spaces and zeros are no date`(text: String) {
        #expect(StatedDate(FileText(text)) == nil)
    }

    @Test(arguments: [
        "yesterday", "2012", "2012:05", "2012:05-05", "2012:02:30 10:00:00", "2012:05:05 24:00:00", "5 May 2012",
        "2012:05:05 13:45:10 CET", "2012:05:05 13", "0000:00:00 00:00:01",
    ])
    func `other text is a date that cannot be read`(text: String) {
        #expect(StatedDate(FileText(text)) == .unreadable(FileText(text)))
    }

    @Test(
        arguments: [
            ("2012:05:05 13:45:10", "+09:00", 540), ("2012:05:05 13:45:10", "JST", nil),
            ("2012:05:05 13:45:10Z", "+09:00", 0), ("2012:05:05", "+09:00", nil),
        ] as [(String, String, Int?)])
    func `a zone in the text comes before that of another field`(text: String, offset: String, minutes: Int?) {
        #expect(StatedDate(FileText(text), offset: FileText(offset))?.date?.utcOffset == minutes)
    }
}
