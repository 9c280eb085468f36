import LivePhotoBatch
import SystemPackage
import Testing

@Suite struct RelativeAddressTests {
    @Test(arguments: [
        ("/a/b/c.JPG", "/a/b", "c.JPG"), ("/a/b/c.JPG", "/a", "b/c.JPG"), ("/a/b.JPG", "/a/c/d", "../../b.JPG"),
        ("/a/b.JPG", "/", "a/b.JPG"), ("/a/./x/../b.JPG", "/a/", "b.JPG"), ("/a/a", "/a/a", "../a"),
        ("/a/ü #1?%&.JPG", "/a", "%C3%BC%20%231%3F%25%26.JPG"), ("/a/javascript:x", "/a", "javascript%3Ax"),
        ("/a/\"<>'.MOV", "/a", "%22%3C%3E%27.MOV"), ("b.JPG", "", "b.JPG"), ("../b.JPG", "", "../b.JPG"),
    ])
    func `an address leads from a page's folder to a file`(file: String, folder: String, address: String) {
        #expect(FilePath(file).address(from: FilePath(folder)) == address)
    }

    @Test func `bytes that are not UTF-8 are kept`() throws {
        let name: [CInterop.PlatformChar] = [0x2F, -1, 0x2E, 0x4A, 0]
        let path = name.withUnsafeBufferPointer { $0.baseAddress.map { FilePath(platformString: $0) } }
        #expect(try #require(path).address(from: "/") == "%FF.J")
    }
}
