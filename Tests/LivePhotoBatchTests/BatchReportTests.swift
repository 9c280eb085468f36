import Foundation
import LivePhotoBatch
import SystemPackage
import TestSupport
import Testing

@Suite struct BatchReportTests {
    @Test(arguments: [
        "\n", "\nnotes", "\r\nnotes", " ", "notes", "{}\n", "[]\n", "{\"id\":\"a\"}\n",
        "{\"id\":\"a\",\"status\":\"ripe\"}\n",
        "\n{\"id\":\"a\",\"status\":\"done\"}\n",
    ])
    func `a file that is no report is refused before any work, and kept`(_ text: String) throws {
        let folder = try TemporaryFolder(["report": text])
        let path = folder.path.appending("report")
        for work in [{ try BatchReport.check(path) }, { try BatchReport.write([], to: path) }] {
            let error = #expect(throws: LivePhotoError.self, performing: work)
            #expect(error?.code == .cannotCreateOutput)
            #expect(error?.reason == "exists and is not a report that was written before; give another name")
        }
        #expect(try folder.text("report") == text)
    }

    @Test(arguments: [
        nil, "", "{\"id\":\"a\",\"status\":\"done\"}\n", "{\"status\":\"failed\",\"id\":\"a\"}",
        "{\"id\":\"a\",\"status\":\"pending\",\"later\":1}\nnotes\n",
    ])
    func `an earlier report gives way to the new one`(_ text: String?) throws {
        let folder = try TemporaryFolder(text.map { ["report": $0] } ?? [:])
        let path = folder.path.appending("report")
        if text != nil {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path.string)
        }
        try BatchReport.check(path)
        try BatchReport.write([record("b", .done), record("c", .failed)], to: path)
        #expect(try MergedReport([path]).entries.map(\.record.id) == ["b", "c"])
        #expect(try folder.names == ["report"])
        let attributes = try FileManager.default.attributesOfItem(atPath: path.string)
        #expect(try #require(attributes[.modificationDate] as? Date).timeIntervalSince1970 > 1e9 + 1)
    }

    @Test(arguments: [nil, "", "{\"id\":\"a\",\"status\":\"done\"}\n"])
    func `a link is refused before any work, and kept`(_ text: String?) throws {
        let folder = try TemporaryFolder(text.map { ["other": $0] } ?? [:])
        let path = folder.path.appending("report")
        try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: "other")
        for work in [{ try BatchReport.check(path) }, { try BatchReport.write([], to: path) }] {
            let error = #expect(throws: LivePhotoError.self, performing: work)
            #expect(error?.code == .cannotCreateOutput || text == nil && error?.code == .outputExists)
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path.string) == "other")
    }

    @Test func `a folder that does not exist is refused before any work`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: LivePhotoError.self) {
            try BatchReport.check(folder.path.appending("missing").appending("report"))
        }
        #expect(error?.code == .cannotCreateOutput)
        #expect(try folder.names.isEmpty)
    }
}
