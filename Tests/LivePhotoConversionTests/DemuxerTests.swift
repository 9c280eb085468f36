import FFmpegKit
import Foundation
import SystemPackage
import Testing

@Suite struct DemuxerTests {
    #if os(Linux)
        @Test func `packets that were read are let go of`() throws {
            // 30 pictures of 346 kB; read 30 times that is 300 MB.
            let clip = try TestClip(
                "clip.nut", "-f lavfi -i testsrc=size=640x360:rate=30:duration=1 -c:v rawvideo -pix_fmt yuv420p")
            let packet = try Packet()
            let before = try residentBytes()
            for _ in 0..<30 {
                let demuxer = try Demuxer(clip.path)
                while try demuxer.read(into: packet) {}
            }
            #expect(try residentBytes() - before < 150_000_000)
        }

        private func residentBytes() throws -> Int {
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return try #require(Int(pages[1])) * Int(getpagesize())
        }
    #endif
}
