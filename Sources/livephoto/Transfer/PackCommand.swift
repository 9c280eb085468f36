import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct PackCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack",
        abstract: "Pack each Live Photo into one file: a Motion Photo, .livp or .pvt.",
        usage: "livephoto pack [<options>] <photo> <movie> | <folder> ...",
        discussion: """
            Picture and sound stay bit for bit. A photo and a movie without a common content identifier are not packed; \
            'link' makes them a pair.

            A Motion Photo follows Google's format 1.0, which records the still time. The movie in it is an MP4 with the \
            same video, sound and timed metadata; other tracks are left out. Phones play AAC-LC at 44.1, 48 or 96 kHz; \
            with --audio drop, movies with other sound are packed without it. The content identifier moves from Apple's \
            MakerNote to a property in XMP, from which 'extract' restores it, because some programs look for a separate \
            movie when they find it in the MakerNote.

            For a single pair, --output is the file to write, or a folder. For folders, pairs are found as in 'verify' \
            and written into the same folder structure below --output. File names are IMG_1.MP.jpg or IMG_1.MP.heic, \
            IMG_1.livp and IMG_1.pvt. A file that already exists with identical content is not written again. If one \
            pair fails, the others are still packed and the exit status is 1.
            """)

    static let examples = [
        "livephoto pack beach.JPG beach.MOV --as motion-photo --output beach.MP.jpg",
        "livephoto pack beach.JPG --as livp --output beach.livp",
        "livephoto pack ~/Pictures --as motion-photo --output Phone",
    ]

    @Argument(help: "A photo and its movie, one of the two, or folders.", completion: .pairs)
    var paths: [String]

    @Option(
        name: .customLong("as"), help: ArgumentHelp("The format: motion-photo, livp or pvt.", valueName: "format"),
        completion: .list(PairContainer.Format.allCases.map(\.rawValue)))
    var format: String

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "The file to write (a folder for pvt), or the folder to write to.", valueName: "path"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "Sound of a Motion Photo: aac keeps it, drop leaves it out. (default: aac)", valueName: "sound"),
        completion: .list(MotionPhotoOptions.Sound.allCases.map(\.rawValue)))
    var audio: String?

    @Flag(help: "Leave the content identifier of a Motion Photo in the MakerNote.")
    var keepIdentifier = false

    @OptionGroup var transfer: TransferOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        guard let format = PairContainer.Format(rawValue: format) else {
            let known = alternatives(PairContainer.Format.allCases.map(\.rawValue), "or")
            throw UsageError("--as: \(quoted(format)) is not a format; write \(known)")
        }
        let options = try motionPhotoOptions(format)
        let sources = try PairSources(paths)
        let isPair = if case .pair = sources { true } else { false }
        let target = isPair ? FilePath(argument: output) : try OutputPlace.folder(output)
        try await transfer.run("packing", isSingle: isPair) { transfer, log in
            var transfer = transfer
            transfer.motionPhoto = options
            switch sources {
            case .pair(let pair):
                let outcome = transfer.pack(photo: pair.photo, movie: pair.movie, as: format, to: target)
                try log.report(outcome, results: [outcome.container])
            case .folders(let folders):
                try await transfer.pack(below: folders, as: format, to: target) {
                    log.show($0)
                } report: {
                    try log.report($0, results: [$0.container])
                }
            }
        }
    }

    private func motionPhotoOptions(_ format: PairContainer.Format) throws -> MotionPhotoOptions {
        var options = MotionPhotoOptions()
        if let audio {
            guard let sound = MotionPhotoOptions.Sound(rawValue: audio) else {
                let known = alternatives(MotionPhotoOptions.Sound.allCases.map(\.rawValue), "or")
                throw UsageError("--audio: \(quoted(audio)) is unknown; write \(known)")
            }
            options.sound = sound
        }
        options.keepsIdentifier = keepIdentifier
        let option = audio != nil ? "--audio" : "--keep-identifier"
        guard format == .motionPhoto || audio == nil && !keepIdentifier else {
            throw UsageError("\(option) applies only to --as motion-photo; other formats keep both files unchanged")
        }
        return options
    }
}
