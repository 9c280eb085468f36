import Foundation
import TestSupport
import Testing

/// Files with names that are not UTF-8, or would steer a terminal.
@Suite struct OddNameTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: try SampleClips.beach(), toPath: folder.path("good.mp4"))
    }

    /// - Parameter script: for bash, with `livephoto` as `"$0"`.
    private func bash(_ script: String) throws -> Outcome {
        try Program.system("bash", ["-c", script, Program.livephoto.path], in: folder.url)
    }

    @Test func `paths on the command line are taken byte for byte`() throws {
        let outcome = try bash(
            #"""
            cp good.mp4 $'b\351.mp4' && mkdir pairs && "$0" convert $'b\351.mp4' --output=$'pairs/\351' --name b &&
            "$0" inspect $'pairs/\351/b.JPG' && "$0" verify $'pairs/\351/b.JPG' $'pairs/\351/b.MOV' &&
            "$0" convert good.mp4 -o$'pairs/\352' --photo $'pairs/\351/b.JPG' --name b && test -f $'pairs/\352/b.JPG'
            """#)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func `names that look alike without the bytes that are not UTF-8 are files of their own`() throws {
        let outcome = try bash(
            #"""
            "$0" convert good.mp4 -o . >/dev/null && cp good.JPG $'a\344.JPG' && echo text >$'a\366.JPG' || exit 2
            "$0" inspect $'a\344.JPG' $'a\366.JPG'
            """#)
        #expect(outcome.status == 1 && outcome.errors.contains("is not a photo"), "\(outcome)")
        let both = try bash(#""$0" convert $'a\344.JPG' $'a\366.JPG' -o out"#)
        #expect(!both.errors.contains("is given twice"), "\(both)")
    }

    @Test func `new files keep the bytes of the names that they are made from`() throws {
        let outcome = try bash(
            #"""
            mkdir in pair && cp good.mp4 $'in/b\351.mp4' && cp good.mp4 $'in/b\352.mp4' &&
            "$0" convert in -o out && test -f $'out/b\351.MOV' && test -f $'out/b\352.JPG' &&
            "$0" link $'out/b\351.JPG' -o linked && test -f $'linked/b\351.MOV' &&
            "$0" pack $'out/b\351.JPG' --as motion-photo -o pair && test -f $'pair/b\351.MP.jpg' &&
            "$0" extract pair -o extracted && test -f $'extracted/b\351.MOV' &&
            "$0" unlink $'out/b\351.JPG' -o plain && test -f $'plain/b\351.JPG'
            """#)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(arguments: [
        ("convert good.mp4 --name $'\\351'", "--name"), ("convert good.mp4 -o $'\\351.MOV'", "--output"),
    ])
    func `a new name that is not UTF-8 is refused, not changed`(line: String, option: String) throws {
        let outcome = try bash(#""$0" "# + line)
        #expect(outcome.status == 64 && outcome.errors.contains("\(option): the name "), "\(outcome.errors)")
        #expect(outcome.errors.contains(" is not valid UTF-8; give another one\n") && folder.contents == ["good.mp4"])
    }

    @Test func `an odd name that a wildcard finds is a job of its own, and the others are done`() throws {
        let outcome = try bash(
            #"""
            for name in $'b\351' $'c\e[31m' $'d\nx' $'e\u202ex'; do cp good.mp4 "$name.mp4"; done
            printf 'version: 1\njobs:\n- {input: "*.mp4"}\n' >jobs.yaml
            "$0" batch jobs.yaml -o out --progress none
            """#)
        #expect(outcome.status == 1, "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 4 && lines.last?.contains("2 done, 3 failed; 5 jobs") == true, "\(outcome.errors)")
        #expect(!outcome.errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(folder.contents.filter { $0.hasPrefix("out/good.") } == ["out/good.JPG", "out/good.MOV"])
        #expect(folder.contents.filter { $0.hasPrefix("out/b") }.count == 2)
    }
}
