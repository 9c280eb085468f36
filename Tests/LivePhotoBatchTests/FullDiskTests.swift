import Foundation
import LivePhotoBatch
import SystemPackage
import TestSupport
import Testing

@Suite struct FullDiskTests {
    private static let namespace = ["--user", "--map-root-user", "--mount"]

    /// A file system of one's own needs a kernel that lets its users have namespaces.
    private static let mayMount =
        (try? Program.run(["unshare"] + namespace + ["mount", "-t", "tmpfs", "x", "/mnt"])) != nil

    @Test(.enabled(if: mayMount, "namespaces are not allowed here, so there is no disk to fill"))
    func `a full disk ends a batch without a half pair, and it goes on when there is room`() throws {
        let bed = try BatchBed(clips: ["a", "b", "c"])
        try bed.folder.write("{\"input\": \"*.mp4\", \"name\": \"{stem}\"}\n", to: "jobs.jsonl")
        try bed.folder.write("", to: "out/below")
        let output = try Program.run(
            ["unshare"] + Self.namespace + [
                "bash", "-c",
                """
                cd '\(bed.folder.path)' && mount -t tmpfs -o size=32k tmpfs out || exit
                batch() { '\(BatchBed.worker.removingLastComponent())/livephoto' batch jobs.jsonl -o out --jobs 1 --retry 0 2>&1; echo "status $?"; }
                batch
                echo "left $(ls -A out | tr '\\n' ' ')"
                mount -o remount,size=16m out
                batch
                echo "made $(ls -A out | tr '\\n' ' ')"
                """,
            ])
        let lines = output.split(separator: "\n")
        #expect(lines.contains("status 74"), "\(output)")
        #expect(
            lines.contains("error: out: its disk is full; free some space and run the same command again to continue"),
            "\(output)")
        let left = try #require(lines.first { $0.hasPrefix("left ") }).split(separator: " ").dropFirst()
        #expect(left.filter { $0.hasSuffix(".JPG") }.count == left.filter { $0.hasSuffix(".MOV") }.count, "\(output)")
        #expect(lines.contains("status 0"), "\(output)")
        #expect(lines.last == "made .livephoto-batch a.JPG a.MOV b.JPG b.MOV c.JPG c.MOV ", "\(output)")
    }
}
