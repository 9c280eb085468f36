import LivePhotoBatch
import SystemPackage
import TestSupport
import Testing

@Suite struct CSVReportTests {
    @Test(arguments: [
        ("beach", "beach"), ("", ""), ("a b", "a b"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
        ("two\nlines", "two\\nlines"), ("a;b", "\"a;b\""), ("é 🏖 שלום", "é 🏖 שלום"),
        // What a spreadsheet would take for a formula.
        ("=1+2", "'=1+2"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(1)", "'@SUM(1)"), ("＝1", "'＝1"),
        ("=\u{301}1", "'=\u{301}1"), ("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""), ("a=1", "a=1"),
        ("\t=1", "\\t=1"), ("\r=1", "\\r=1"),
    ])
    func `a cell is one cell, and never a formula`(text: String, cell: String) {
        #expect(CSV.cell(text) == cell)
    }

    @Test func `a line for each job follows a line of names`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("report.csv")
        let done = try record(
            "a,b", .done,
            """
            "exitCode":0,"attempts":1,"seconds":1.5,"stillTime":0.5,"captureDate":"2025-10-12T23:36:14+1300",\
            "captureDateSource":"clip","warnings":["one","two"],\
            "photo":{"path":"a.JPG","bytes":10,"sha256":"ab"},\
            "inputs":[{"path":"x.mp4","bytes":1,"modified":2,"sha256":"cd"}]
            """)
        let report = MergedReport(merging: [([done, try record("c", .failed, "\"error\":\"bad\"")], ".")])
        try report.writeCSV(to: path)
        let lines = try folder.text("report.csv").split(separator: "\r\n", omittingEmptySubsequences: false)
        let names = try #require(lines.first).split(separator: ",")
        #expect(names.count == 31 && names.prefix(2) == ["id", "status"] && lines.count == 4 && lines.last == "")
        #expect(
            lines[1] == "\"a,b\",done,0,,,,,,1,1.5,,,,,a.JPG,10,ab,,,,,,,,0.5,,2025-10-12T23:36:14+1300,clip,"
                + "\"one; two\",x.mp4,cd")
        #expect(
            lines[2].hasPrefix("c,failed,,,bad,,,,0,,")
                && lines[2].split(separator: ",", omittingEmptySubsequences: false).count == 31)
    }

    @Test func `an existing file is replaced only when that is asked for`() throws {
        let folder = try TemporaryFolder(["report.csv": "mine", "report.jsonl": "{\"id\":\"a\",\"status\":\"done\"}\n"])
        let report = try MergedReport([folder.path.appending("report.jsonl")])
        let path = folder.path.appending("report.csv")
        let error = #expect(throws: LivePhotoError.self) { try report.writeCSV(to: path) }
        #expect(error?.reason == "already exists")
        #expect(try folder.text("report.csv") == "mine")
        try report.writeCSV(to: path, replacesExisting: true)
        #expect(try folder.text("report.csv").hasPrefix("id,status,"))
        #expect(throws: LivePhotoError.self) {
            try report.writeCSV(to: folder.path.appending("report.jsonl"), replacesExisting: true)
        }
        #expect(try folder.names == ["report.csv", "report.jsonl"])
    }
}
