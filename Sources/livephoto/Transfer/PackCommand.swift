import ArgumentParser
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker

struct PackCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack",
        abstract: "Pack Live Photos into files (Motion Photo, .livp, .pvt, .pvt.zip), or copy them to a camera's card.",
        usage: "livephoto pack [<options>] <photo> <movie> | <folder> ...",
        discussion: """
            Picture and sound stay the same, bit for bit, except where a phone needs another format. A photo and a movie \
            without a common content identifier are not packed; 'link' makes them a pair.

            A Motion Photo follows Google's format 1.0, which records the still time. The movie in it is an MP4 with the \
            same video and timed metadata and one track of sound; other tracks are left out. Phones play AAC-LC at 44.1, \
            48 or 96 kHz; other sound becomes AAC-LC, or is left out with --no-audio. Most phones show the motion only \
            of JPEGs (--photo-format jpeg), and some do not play HEVC: --video-codec h264 re-encodes it, in SDR and cropped \
            to the part that players show. The content identifier moves \
            from Apple's MakerNote to a property in XMP, from which 'extract' restores it, because some programs look for \
            a separate movie when they find it in the MakerNote.

            Two formats are ways onto an iPhone or iPad without a Mac; 'share' sends Live Photos there directly. A pvt.zip is \
            opened in the Files app; a folder becomes one with all its Live Photos, or with --each one for each. With dcim, \
            --output is a card or stick for Photos' import: both files are copied to DCIM/100APPLE/IMG_0001.JPG and .MOV, \
            numbered after the files that are there. Nothing on the card is replaced, and a pair that it already has is \
            not copied again.

            For a single pair, --output is the file to write, with the extension of its format, or a folder. For folders, \
            pairs are found as in 'verify' and written into the same folder structure below --output, except into one pvt.zip. File names are IMG_1.MP.jpg or IMG_1.MP.heic, \
            IMG_1.livp, IMG_1.pvt and IMG_1.pvt.zip. A file that already exists with identical content is not written again. If one \
            pair fails, the others are still packed and the exit status is 1.
            """)

    static let examples = [
        "livephoto pack beach.JPG beach.MOV --as motion-photo --output beach.MP.jpg",
        "livephoto pack beach.JPG --as livp --output beach.livp",
        "livephoto pack ~/Pictures --as motion-photo --output Phone",
        "livephoto pack ~/Pictures --as pvt.zip",
        "livephoto pack ~/Pictures --as dcim --output Card",
    ]

    @Argument(help: "A photo and its movie, one of the two, or folders.", completion: .pairs)
    var paths: [String]

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format: motion-photo, livp, pvt, pvt.zip or dcim. (default: the one that the extension of --output names)",
            valueName: "format"),
        completion: .list(Self.formats))
    var givenFormat: String?

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "The file to write (a folder for pvt), or the folder to write to. One pvt.zip of a folder has the folder's name.",
            valueName: "path"),
        completion: .file())
    var output: String = "."

    @Flag(help: "Write a pvt.zip for each Live Photo of a folder, not one with all of them.")
    var each = false

    @Flag(help: "Leave the sound out of a Motion Photo; sound other than AAC-LC is encoded again.")
    var noAudio = false

    @Option(
        help: ArgumentHelp(
            "Photo of a Motion Photo: keep, or jpeg for a JPEG of a HEIC or AVIF. (default: keep)", valueName: "format"),
        completion: .list(MotionPhotoOptions.PhotoFormat.allCases.map(\.rawValue)))
    var photoFormat: String?

    @Option(
        help: ArgumentHelp(
            "Video of a Motion Photo: keep, or h264 to re-encode HEVC. (default: keep)", valueName: "codec"),
        completion: .list(MotionPhotoOptions.VideoFormat.allCases.map(\.rawValue)))
    var videoCodec: String?

    @Option(
        name: .customLong("for"), parsing: .singleValue,
        help: ArgumentHelp(
            """
            Add what these phones may look for in a Motion Photo: google, samsung, xiaomi, oppo, vivo, huawei or honor; \
            nothing more is known for google and xiaomi. Repeatable.
            """,
            valueName: "phone"),
        completion: .list(MotionPhotoOptions.Phone.allCases.map(\.rawValue)))
    var phones: [String] = []

    @Flag(help: "Leave the content identifier of a Motion Photo in the MakerNote.")
    var keepId = false

    @OptionGroup var transfer: TransferOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    var reasonNotToDecode: String? {
        guard let format = try? givenFormat ?? formatOfOutput(), Self.formats.contains(format),
            format != PairContainer.Format.motionPhoto.rawValue
        else { return nil }
        return "applies only to --as motion-photo; for other formats nothing is decoded"
    }

    func run() async throws {
        logging.apply()
        let format = try givenFormat ?? formatOfOutput()
        if each, format != PairContainer.Format.pvtZip.rawValue {
            throw UsageError(
                "--each applies only to --as pvt.zip; other formats always have one Live Photo in each file")
        }
        if format == Self.card {
            // They apply to motion photos alone.
            _ = try motionPhotoOptions(.pvt)
            return try await copyToCard()
        }
        guard let format = PairContainer.Format(rawValue: format) else {
            let known = alternatives(Self.formats, "or")
            throw UsageError("--as: \(quoted(format)) is not a format; write \(known)")
        }
        let options = try motionPhotoOptions(format)
        let engine = try workerOptions.engine(logging)
        let sources = try PairSources(paths)
        let isPair = if case .pair = sources { true } else { false }
        let isTogether = !isPair && format == .pvtZip && !each
        let folder = isPair || isTogether ? nil : try OutputPlace.folder(output)
        try await transfer.run("packing", isSingle: isPair) { transfer, log in
            var transfer = transfer
            transfer.motionPhoto = options
            switch sources {
            case .pair(let pair):
                let target = try PackPlace(output: output, format: format).target(for: pair.photo, transfer)
                let outcome = await ItemTime.item {
                    await transfer.pack(photo: pair.photo, movie: pair.movie, as: format, to: target, with: engine)
                }
                try report(outcome, log, transfer, format)
            case .folders(let folders) where isTogether:
                let target = try PackPlace(output: output, format: format).archive(of: folders)
                try await transfer.packTogether(below: folders, to: target) {
                    log.show($0)
                } report: {
                    try log.report($0, results: [])
                }
                log.printResult(target)
            case .folders(let folders):
                try await transfer.pack(below: folders, as: format, to: folder ?? ".", with: engine) {
                    log.show($0)
                } report: {
                    try report($0, log, transfer, format)
                }
            }
        }
    }

    private func report(
        _ outcome: PairTransfer.Outcome, _ log: TransferLog, _ transfer: PairTransfer, _ format: PairContainer.Format
    ) throws {
        let isPacked = if case .failed = outcome.state { false } else { true }
        if isPacked, format == .motionPhoto, let photo = outcome.photo,
            let ending = try? transfer.ending(of: photo, as: .motionPhoto), ending.usual != "jpg"
        {
            log.remark(
                "most phones show a Motion Photo that is \(ending.name) as a still picture; --photo-format jpeg"
                    + " writes a JPEG")
        }
        try log.report(outcome, results: [outcome.container])
    }

    /// - Throws: `UsageError` if the extension of --output is not that of a format.
    private func formatOfOutput() throws(UsageError) -> String {
        let name = output.lowercased()
        // Shells complete a bundle, which is a folder, with a slash.
        if name.hasSuffix(".pvt/") { return PairContainer.Format.pvt.rawValue }
        if let format = ["pvt.zip", "pvt", "livp"].first(where: { name.hasSuffix(".\($0)") }) { return format }
        if [".jpg", ".jpeg", ".heic"].contains(where: name.hasSuffix) {
            return PairContainer.Format.motionPhoto.rawValue
        }
        throw UsageError(
            "give --output the extension of a format, such as beach.pvt.zip, or name the format with --as: "
                + alternatives(Self.formats, "or"))
    }

    private func motionPhotoOptions(_ format: PairContainer.Format) throws -> MotionPhotoOptions {
        let given = [
            ("--no-audio", noAudio ? "" : nil), ("--photo-format", photoFormat), ("--video-codec", videoCodec),
            ("--for", phones.first), ("--keep-id", keepId ? "" : nil),
        ].first { $0.1 != nil }
        if let option = given?.0, format != .motionPhoto {
            throw UsageError("\(option) applies only to --as motion-photo; other formats keep both files unchanged")
        }
        var options = MotionPhotoOptions()
        if noAudio { options.sound = .drop }
        options.photoFormat = try choice(photoFormat, of: "--photo-format") ?? options.photoFormat
        options.videoFormat = try choice(videoCodec, of: "--video-codec") ?? options.videoFormat
        options.phones = Set(try phones.compactMap { try choice($0, of: "--for") })
        options.keepsIdentifier = keepId
        return options
    }

    /// - Throws: `UsageError` for a word that is not one of the choices.
    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String?, of option: String
    ) throws -> Choice? {
        guard let text else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let known = alternatives(Choice.allCases.map(\.rawValue), "or")
            throw UsageError("\(option): \(quoted(text)) is unknown; write \(known)")
        }
        return choice
    }
}
