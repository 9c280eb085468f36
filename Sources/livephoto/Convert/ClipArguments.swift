import LivePhotoBatch

/// The clips that `convert` was called with.
struct ClipArguments: Sendable {
    struct Clip: Sendable {
        /// As given on the command line, or below a folder given there.
        let name: String
        let request: ConversionRequest
    }

    /// In the order of the arguments.
    private(set) var clips: [Clip] = []
    /// Files and folders that could not be read.
    private(set) var unreadable: [LivePhotoError] = []
    /// The number of movies of Live Photos in the folders.
    private(set) var livePhotoMovies = 0
    /// Kept open until the end.
    private var spooled: SpooledClip?

    /// Stands for standard input.
    private static let standardInput: FilePath = "-"

    /// Lists folders and reads standard input.
    ///
    /// - Parameter template: a request for any clip, with the output folder.
    /// - Throws: `LivePhotoError`; `UsageError`; `CancellationError`.
    init(_ arguments: [FilePath], _ template: ConversionRequest) async throws {
        for argument in arguments {
            if argument == Self.standardInput {
                try await addStandardInput(template)
            } else if argument.isFolderOfFiles {
                let folder = try await FolderClips(
                    below: argument, to: template.outputDirectory, width: CurrentProcess.cores)
                for clip in folder.clips {
                    var request = template
                    (request.clip, request.outputDirectory) = (clip.path, clip.directory)
                    clips.append(Clip(name: clip.path.string, request: request))
                }
                unreadable += folder.unreadable
                livePhotoMovies += folder.livePhotoMovies
            } else {
                var request = template
                request.clip = argument
                clips.append(Clip(name: argument.string, request: request))
            }
        }
        guard clips.isEmpty, unreadable.isEmpty else { return }
        let others = livePhotoMovies == 0 ? "" : " besides \(counted(livePhotoMovies, "movie")) of Live Photos"
        throw LivePhotoError(
            .unusableMedia, arguments.count == 1 ? arguments[0] : nil,
            "\(arguments.count == 1 ? "contains" : "the folders contain") no video files\(others)")
    }

    /// Whether there is a single clip, not in a folder.
    static func areSingle(_ arguments: [FilePath]) -> Bool {
        arguments.count == 1 && !arguments.contains { $0.isFolderOfFiles }
    }

    /// Checks standard input, if it is named. If it is closed, files that are opened later could get its number.
    static func check(_ arguments: [FilePath]) throws {
        let count = arguments.count { $0 == standardInput }
        guard count > 0 else { return }
        guard count == 1 else { throw UsageError("'-' is standard input, which can be read only once") }
        try SpooledClip.check()
        guard !Terminal.isInputInteractive else {
            throw UsageError("'-' is standard input, which is a terminal; pipe a clip into it, or redirect a file")
        }
    }

    private mutating func addStandardInput(_ template: ConversionRequest) async throws {
        let folder = template.outputDirectory
        let spooled = try await BlockingWork.run { try SpooledClip(for: folder, $0) }
        var request = template
        (request.clip, request.openedClip) = (SpooledClip.standardInput, spooled.path)
        request.name = template.name ?? "clip"
        clips.append(Clip(name: Self.standardInput.string, request: request))
        self.spooled = spooled
    }
}
