import Foundation
import TestSupport
import Testing

/// The manual pages that packages contain.
@Suite struct ManualTests {
    /// The texts of all pages by file name.
    private static let pages = Result {
        let folder = try TemporaryFolder()
        let outcome = try Program.livephoto(["manual", "."], in: folder.url, environment: ["SOURCE_DATE_EPOCH": ""])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try folder.files.mapValues { String(decoding: $0, as: UTF8.self) }
    }

    private let pages: [String: String]

    init() throws {
        pages = try Self.pages.get()
    }

    @Test func `each page says what it is made from, and which variables all commands read`() {
        #expect(pages.count >= 16)
        for (name, page) in pages {
            #expect(
                page.hasPrefix(#".\" Generated from the program's help by 'livephoto manual'."# + "\n.TH "), "\(name)")
            for variable in ["NO_COLOR", "XDG_CONFIG_HOME", "LIVEPHOTO_CONFIG"] {
                #expect(page.contains(".TP\n\\fB\(variable)\\fR\n"), "\(name)")
            }
        }
    }

    @Test func `other variables are only in the pages of the commands that read them`() {
        for (variable, commands) in [
            (
                "LIVEPHOTO_SANDBOX",
                [
                    "", "-batch", "-batch-report", "-convert", "-doctor", "-edit", "-export", "-frames", "-import",
                    "-link",
                    "-pack",
                    "-preview", "-share", "-studio", "-verify",
                ]
            )
        ] {
            let having = pages.filter { $0.value.contains(".TP\n\\fB\(variable)\\fR\n") }.keys.sorted()
            #expect(having == commands.map { "livephoto\($0).1" }.sorted())
        }
    }

    @Test func `defaults are part of a sentence`() throws {
        let batch = try #require(pages["livephoto-batch.1"])
        #expect(!batch.contains("(default: \\fB\\-\\-re"))
        #expect(batch.contains("do not make complete pairs again.\nThis is the default.\n"))
        #expect(batch.contains("livephoto/presets (default:"))
    }

    @Test func `the pages have the date in SOURCE_DATE_EPOCH, or none`() throws {
        #expect(pages["livephoto.1"]?.contains(#".TH LIVEPHOTO 1 "" "livephoto "#) == true)
        let folder = try TemporaryFolder()
        let lastSecond = ["SOURCE_DATE_EPOCH": "253402300799"]
        let outcome = try Program.livephoto(["manual", "."], in: folder.url, environment: lastSecond)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(try folder.text("livephoto.1").contains(#".TH LIVEPHOTO 1 "9999-12-31" "livephoto "#))
    }

    @Test(arguments: ["abc", "2026-11-23", "-1", "1.5", "253402300800", "9223372036854775807", "99999999999999999999"])
    func `a date that is not a number of seconds is refused`(value: String) throws {
        try expectFailure(
            ["manual", "."], in: TemporaryFolder(), 64,
            "SOURCE_DATE_EPOCH: '\(value)' is not a number of seconds since 1970"
        ) {
            try Program.livephoto($0, in: $1, environment: ["SOURCE_DATE_EPOCH": value])
        }
    }
}
