import Bytes
import SystemPackage
import TestSupport
import Testing

@Suite struct FileChangeTests {
    @Test(arguments: ["", "a part of a li", "a part\nand another\n"])
    func `a line is appended over what an interrupted write has left`(rest: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("lines")
        try OutputFile.write(path) { try $0.write(Array("first\n\(rest)".utf8)) }
        let file = try InputFile(FileDescriptor.open(path, .readWrite), path: path)
        var end = 6
        try file.append(line: Array("second\n".utf8), at: &end)
        try file.append(line: Array("third\n".utf8), at: &end)
        #expect(try InputFile(path).contents(limit: 100) == Array("first\nsecond\nthird\n".utf8))
        #expect(end == 19)
    }

    @Test func `a line that cannot be written leaves the others as they are`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("lines")
        try OutputFile.write(path) { try $0.write(Array("first\n".utf8)) }
        let file = try InputFile(path)
        var end = 6
        #expect(throws: Errno.self) { try file.append(line: Array("second\n".utf8), at: &end) }
        #expect(try InputFile(path).contents(limit: 100) == Array("first\n".utf8))
        #expect(end == 6)
    }
}
