import Foundation
import TestSupport
import Testing
import livephoto

/// What the program answers to the words of other programs.
@Suite struct SynonymTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let sentence: String
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ line: String, _ sentence: String) {
            arguments = line.split(separator: " ").map { String($0) }
            self.sentence = sentence
        }
    }

    /// The sentence about the first unknown option of a command line.
    private static func answer(to arguments: [String]) throws -> String? {
        let program = try Self.program.get()
        var names: [String] = []
        while names.count < arguments.count, program.command(names + [arguments[names.count]]) != nil {
            names.append(arguments[names.count])
        }
        return UnknownOption(in: arguments, of: names, program)?.error.message
    }

    private static let program = Result { try CommandDescription.program() }

    @Test(arguments: [
        Case("convert beach.mp4 --mute", "unknown option '--mute'; use --no-audio to leave out the sound"),
        Case("convert beach.mp4 -an", "unknown option '-an'; use --no-audio to leave out the sound"),
        Case("convert beach.mp4 --no-sound", "use --no-audio"),
        Case("convert -ss 2 beach.mp4", "unknown option '-ss'; use --start for the beginning of the movie"),
        Case("convert beach.mp4 -to 4", "unknown option '-to'; use --end for the end of the movie"),
        Case("convert beach.mp4 -t 3", "unknown option '-t'; use --duration for the length of the movie"),
        Case(
            "convert -i beach.mp4",
            "unknown option '-i'; give the clip without an option: livephoto convert CLIP"),
        Case("-i beach.mp4 -o Live", "unknown option '-i'; give the clip without an option: livephoto convert CLIP"),
        Case("convert beach.mp4 -y", "unknown option '-y'; use --force to replace existing files"),
        Case("pack beach.JPG --overwrite", "use --force to replace existing files"),
        Case("convert beach.mp4 -r 15", "unknown option '-r'; use --fps for the frame rate"),
        Case("convert beach.mp4 --framerate=15", "unknown option '--framerate'; use --fps for the frame rate"),
        Case("convert beach.mp4 -s 640x480", "unknown option '-s'; use --max-size for the largest size of the movie"),
        Case("convert beach.mp4 --width 640", "use --max-size"),
        Case("convert beach.mp4 -resize 50%", "unknown option '-resize'; use --max-size"),
        Case("convert beach.mp4 -crf 20", "unknown option '-crf'; use --preset for quality and size"),
        Case("convert beach.mp4 --quality 80", "use --preset for quality and size"),
        Case("convert beach.mp4 --timestamp 2", "use --still for the moment of the key photo"),
        Case("convert beach.mp4 --keyframe 2", "use --still for the moment of the key photo"),
        Case("convert beach.mp4 --poster 2", "use --still for the moment of the key photo"),
        Case("convert beach.mp4 -c:v copy", "unknown option '-c:v'; use --video-codec for H.264 or HEVC"),
        Case("convert beach.mp4 --outdir Live", "use --output to choose where to write"),
        Case("convert beach.mp4 -outdir Live", "unknown option '-outdir'; use --output to choose where to write"),
        Case("convert beach.mp4 --dir=Live", "unknown option '--dir'; use --output to choose where to write"),
        Case("convert beach.mp4 --strip-location", "use --no-location to leave out the place"),
        Case("convert beach.mp4 --strip", "use --no-metadata to leave out date, place and camera"),
        Case("convert beach.mp4 -all=", "unknown option '-all'; use --no-metadata"),
        Case("convert beach.mp4 --simulate", "use --dry-run to see what would be done"),
        Case("verify Live --silent", "use --quiet to print less"),
        Case("verify Live --recursive", "folders are searched with everything below them"),
        Case("link --recursive Live", "use --by-name for a folder tree"),
        Case("link beach.JPG beach.MOV -overwrite_original", "use --in-place to change the files themselves"),
        Case("link --image beach.JPG --video beach.MOV", "give the photo and the movie without options"),
        Case("batch jobs.yaml -j 4", "unknown option '-j'; use --jobs for the number of jobs at a time"),
        Case("inspect beach.MOV -j", "use --json for output that programs read"),
        Case("verify --dir Live", "give files and folders without an option"),
        Case("pack beach.JPG --dir Phone", "use --output to choose where to write"),
        Case("pack beach.JPG --format livp", "use --as for the format"),
        Case("inspect beach.MOV --atoms", "use --boxes to list the boxes"),
        Case("convert beach.mp4 -vf scale=640:-1 -o Live", "unknown option '-vf'; use --filter"),
        Case("convert beach.mp4 -vn", "unknown option '-vn'; a Live Photo always has a movie"),
        Case("unlink -i beach.JPG", "give the photo and the movie without options: livephoto unlink PHOTO MOVIE"),
        Case("edit -i beach.JPG", "without options: livephoto edit PHOTO MOVIE"),
        Case("edit beach.JPG --no-sound", "use --no-audio to leave out the sound"),
        Case("unlink --photo beach.JPG", "without options: livephoto unlink PHOTO MOVIE"),
        Case("link -i beach.JPG", "without options: livephoto link PHOTO MOVIE"),
        Case("verify --format json Live", "use --json for output that programs read"),
        Case("inspect --format=json beach.MOV", "use --json for output that programs read"),
        Case("verify --format json x", "use --json for output that programs read"),
        Case("batch report --format csv Live", "choose --json, --csv FILE or --html FILE"),
        Case("batch jobs.yaml -j3", "unknown option '-j3'; use --jobs for the number of jobs at a time"),
        Case("convert beach.mp4 -t3", "unknown option '-t3'; use --duration for the length of the movie"),
        Case("convert beach.mp4 -s640x480", "unknown option '-s640x480'; use --max-size"),
        Case("convert beach.mp4 -h264", "unknown option '-h264'; use --video-codec for H.264 or HEVC"),
        Case("convert beach.mp4 -j 4", "use --jobs for the number of clips at a time"),
        Case("convert beach.mp4 -threads 4", "the number of threads follows from the processors; --jobs is"),
        Case("batch jobs.yaml --threads 4", "use --jobs for the number of jobs at a time"),
        Case("convert beach.mp4 --log ffmpeg.log", "use --verbose for the messages of FFmpeg"),
        Case("batch jobs.yaml --log run.jsonl", "use --report for a file with the results"),
        Case("completions --shell bash", "give the shell without an option: bash, zsh or fish"),
        Case("completions --zsh", "give the shell without an option: bash, zsh or fish"),
    ])
    func `options of other programs get the option for the purpose`(test: Case) throws {
        let answer = try #require(try Self.answer(to: test.arguments))
        #expect(answer.contains(test.sentence))
    }

    @Test(arguments: [
        Case("convert --mute", "unknown option '--mute'; use --no-audio to leave out the sound"),
        Case("convert beach.mp4 -output Live", "unknown option '-output'; did you mean '--output'?"),
        Case("verify Live --by-name", "unknown option '--by-name'; it is an option of 'link'"),
    ])
    func `an unknown option is an error before anything else`(test: Case) throws {
        try expectFailure(test.arguments, in: TemporaryFolder(), 64, test.sentence)
    }

    @Test(arguments: [
        Case("verify Live --by-name", "unknown option '--by-name'; it is an option of 'link'"),
        Case("doctor --in-place", "unknown option '--in-place'; it is an option of 'edit', 'link' and 'unlink'"),
        Case("doctor --recursive", "unknown option '--recursive'"),
        Case(
            "verify Live --no-audio",
            "unknown option '--no-audio'; it is an option of 'convert', 'edit', 'pack' and 'export'"),
        Case("export a.JPG --no-sound", "unknown option '--no-sound'; use --no-audio to leave out the sound"),
        Case("convert beach.mp4 --report x", "unknown option '--report'; it is an option of 'batch'"),
        Case(
            "batch report --log x", "unknown option '--log'; in 'batch', use --report for a file with the results"),
        Case("verify --all", "unknown option '--all'"), Case("presets list --all", "unknown option '--all'"),
        Case("presets list --list", "unknown option '--list'"), Case("verify -l x", "unknown option '-l'"),
        Case("inspect -a beach.MOV", "unknown option '-a'"), Case("completions -r", "unknown option '-r'"),
        Case("unlink -j4 beach.MOV", "unknown option '-j4'"),
    ])
    func `options of other commands are said to be theirs`(test: Case) throws {
        #expect(try Self.answer(to: test.arguments) == test.sentence)
    }

    @Test(arguments: [
        Case("convert beach.mp4 --stil 2", "unknown option '--stil'; did you mean '--still'?"),
        Case("convert beach.mp4 --max-siez 640x480", "did you mean '--max-size'?"),
        Case("convert beach.mp4 -output Live", "unknown option '-output'; did you mean '--output'?"),
        Case("convert beach.mp4 --no_audio", "did you mean '--no-audio'?"),
        Case("convert beach.mp4 -noaudio", "did you mean '--no-audio'?"),
        Case("convert beach.mp4 --dryRun", "did you mean '--dry-run'?"),
        Case("-version", "did you mean '--version'?"),
    ])
    func `an option that is spelled a little differently is recognized`(test: Case) throws {
        let answer = try #require(try Self.answer(to: test.arguments))
        #expect(answer.hasSuffix(test.sentence))
    }

    @Test(arguments: ["--wobble", "--plum", "--five", "-k", "-kl"])
    func `nothing is suggested for words without a meaning here`(option: String) throws {
        #expect(try Self.answer(to: ["convert", "beach.mp4", option]) == "unknown option '\(option)'")
    }

    @Test(arguments: [
        Case("make beach.mp4", "'make' is not a command of livephoto; use 'livephoto convert' to make a Live Photo"),
        Case("create beach.mp4", "use 'livephoto convert'"), Case("check Live", "use 'livephoto verify'"),
        Case("info beach.MOV", "use 'livephoto inspect' to show what is in a file"),
        Case("probe beach.MOV", "use 'livephoto inspect'"), Case("show beach.MOV", "use 'livephoto inspect'"),
        Case("join beach.JPG beach.MOV", "use 'livephoto link'"), Case("split beach.JPG", "use 'livephoto unlink'"),
        Case("unpack PXL_1.MP.jpg", "use 'livephoto extract'"), Case("wrap Live", "use 'livephoto pack'"),
        Case("gui", "use 'livephoto studio' to make Live Photos in a browser window"),
        Case("send Live", "use 'livephoto share' to send Live Photos to a phone in the same network"),
        Case("revert Live", "use 'livephoto undo' to undo changes in place"),
        Case("results Live", "use 'livephoto batch report' to show the results of a batch"),
        Case("trim beach.JPG", "use 'livephoto edit'"),
        Case("presets print classic", "use 'livephoto presets show' to print a preset"),
        Case("presets validate mine.yaml", "use 'livephoto presets check'"),
        Case("beach.mp4", "'beach.mp4' is not a command; to convert a clip: livephoto convert CLIP"),
        Case("IMG_1.HEIC IMG_1.MOV", "to link a photo and a movie: livephoto link PHOTO MOVIE"),
        Case("IMG_1.livp", "to extract a Live Photo: livephoto extract FILE"),
    ])
    func `commands of other programs get the command for the purpose`(test: Case) throws {
        try expectFailure(test.arguments, in: TemporaryFolder(), 64, test.sentence)
    }

    @Test(arguments: [
        "convert beach.mp4 -nf", "convert beach.mp4 -fn -oLive", "convert beach.mp4 -nfo Live",
        "convert beach.mp4 -n --still -1", "convert -n -- -output.mp4", "convert beach.mp4 -vv",
        "convert beach.mp4 -fv",
        "pack beach.JPG -vf", "link beach.JPG beach.MOV -vn",
    ])
    func `short options can be joined, and values and files may begin with a dash`(line: String) throws {
        let arguments = line.split(separator: " ").map { String($0) }
        #expect(try Self.answer(to: arguments) == nil)
    }

    @Test(arguments: [["-vf", "scale=640:-1"], ["-vf"], ["-vn"], ["-n", "-vf", "fps=15"]])
    func `options of ffmpeg do not replace existing files`(options: [String]) throws {
        let folder = try TemporaryFolder(["Live/beach.JPG": "old photo", "Live/beach.MOV": "old movie"])
        try FileManager.default.copyItem(atPath: try SampleClips.beach(), toPath: folder.path("beach.mp4"))
        try expectFailure(
            ["convert", "beach.mp4"] + options + ["-o", "Live"], in: folder, 64, "unknown option '-v")
    }

    @Test(arguments: [
        ("edit a.JPG --mute -o x", "edit a.JPG --no-audio -o x", ["--mute"]),
        (
            "export a.JPG --as mp4 --size=480 --mute", "export a.JPG --as mp4 --max-size=480 --no-audio",
            ["--size", "--mute"]
        ),
        (
            "frames a.mp4 --from 1 --to 2 --size 9", "frames a.mp4 --start 1 --end 2 --max-size 9",
            ["--from", "--to", "--size"]
        ),
        ("pack a --as motion-photo --audio drop", "pack a --as motion-photo --no-audio", ["--audio drop"]),
        ("pack a --audio=aac --keep-identifier", "pack a --keep-id", ["--audio aac", "--keep-identifier"]),
        ("pack a --video-format h264", "pack a --video-codec h264", ["--video-format"]),
        ("link --undo Live -n", "undo --only=link Live -n", ["livephoto link --undo"]),
        ("edit --undo=Live", "undo --only=edit Live", ["livephoto edit --undo"]),
        ("report Live --csv x", "batch report Live --csv x", ["livephoto report"]),
        ("rules still-time", "verify --explain still-time", ["livephoto rules"]),
        ("help rules", "help verify", ["livephoto rules"]), ("help report", "help batch report", ["livephoto report"]),
        ("link a b -o x -- --undo", "link a b -o x -- --undo", []), ("convert a --mute", "convert a --mute", []),
        ("", "", []), ("help", "help", []),
    ])
    func `former names work and say the present ones`(former: String, present: String, names: [String]) {
        let (arguments, notes) = FormerName.replaced(in: former.split(separator: " ").map(String.init))
        #expect(arguments == present.split(separator: " ").map(String.init))
        #expect(notes.count == names.count && zip(notes, names).allSatisfy { $0.hasPrefix("'\($1)' is now '") })
    }

    @Test func `the tables name only options and commands that exist and are visible`() throws {
        let program = try Self.program.get()
        let commands = [([], program)] + program.visibleCommands
        let names = Set(commands.map { $0.names.joined(separator: " ") } + ["completions"])
        for synonym in OptionSynonym.all {
            #expect(Set(synonym.commands ?? []).isSubset(of: names), "\(synonym)")
            guard case .option(let option, _) = synonym.answer else { continue }
            let those = synonym.commands.map { wanted in
                commands.filter { wanted.contains($0.names.joined(separator: " ")) }
            }
            let having = (those ?? commands).filter { $0.command.arguments.named(option)?.isVisible ?? false }
            #expect(having.count == those?.count ?? max(having.count, 1), "\(option) of \(synonym.commands ?? [])")
        }
        for synonym in CommandSynonym.all {
            let isOption = synonym.command == ["--version"]
            #expect(isOption || names.contains(synonym.command.joined(separator: " ")), "\(synonym.command)")
            for word in synonym.words {
                #expect(!names.contains((synonym.command.dropLast() + [word]).joined(separator: " ")))
            }
        }
    }
}
