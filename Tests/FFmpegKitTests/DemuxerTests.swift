import Bytes
import FFmpegKit
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite struct DemuxerTests {
    @Test func `an error does not quote what libav logged about another clip`() throws {
        let clip = try TestClip("clip.mp4", TestClip.picture(seconds: 1) + " -c:v libx264 -g 1 -movflags faststart")
        let handle = try #require(FileHandle(forUpdatingAtPath: clip.path.string))
        try handle.truncate(atOffset: try handle.seekToEnd() / 4)
        try handle.close()
        let packet = try Packet()
        let demuxer = try Demuxer(InputFile(clip.path))
        while (try? demuxer.read(into: packet)) == true {}
        let error = #expect(throws: LibavError.self) { try Demuxer(InputFile("/dev/null")) }
        #expect(error?.call == "avformat_open_input")
        #expect(error?.logLine == nil)
    }

    #if os(Linux)
        @Test func `packets that were read are let go of`() throws {
            // 30 pictures of 346 kB; read 30 times that is 300 MB.
            let clip = try TestClip(
                "clip.nut", "-f lavfi -i testsrc=size=640x360:rate=30:duration=1 -c:v rawvideo -pix_fmt yuv420p")
            let packet = try Packet()
            let before = try residentBytes()
            for _ in 0..<30 {
                let demuxer = try Demuxer(InputFile(clip.path))
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
