import LivePhotoBatch

/// The clips that `convert` was called with.
struct ClipArguments: Sendable {
    struct Clip: Sendable {
        /// As given on the command line, or below a folder given there.
        let name: String
        var request: ConversionRequest
        /// Whether it comes from standard input.
        var isStandardInput = false
    }

    /// What cannot be read: standard input, or a file or folder below a folder.
    struct Unreadable: Sendable {
        let name: String
        let error: LivePhotoError
    }

    /// In the order of the arguments.
    private(set) var clips: [Clip] = []
    private(set) var unreadable: [Unreadable] = []
    /// What was skipped in folders, each one sentence.
    let notes: [String]
    /// Whether there is a single clip, not in a folder.
    let isSingle: Bool
    /// The index of the clip that is read from standard input.
    private var standardInputIndex: Int? { clips.firstIndex(where: \.isStandardInput) }
    /// Why standard input cannot be read.
    private let inputError: LivePhotoError?
    /// Kept open until the end.
    private var spooled: SpooledClip?

    /// The argument for standard input.
    private static let standardInput: FilePath = "-"

    /// Lists folders. Standard input is not read yet.
    ///
    /// - Parameters:
    ///   - template: a request for any clip, with the output folder.
    ///   - inputError: the result of `checkStandardInput`.
    /// - Throws: `LivePhotoError` if there is no clip; `CancellationError`.
    init(
        _ arguments: [FilePath], _ template: ConversionRequest, inputError: LivePhotoError?,
        progress: (FolderClips.Progress) -> Void
    ) async throws {
        let folders = arguments.filter { $0 != Self.standardInput && $0.isFolderOfFiles }
        let found = try await FolderClips(
            below: folders, to: template.outputDirectory, width: CurrentProcess.cores, progress: progress)
        for argument in arguments {
            var request = template
            if argument == Self.standardInput {
                request.clip = SpooledClip.standardInput
                request.name = template.name ?? "clip"
                clips.append(Clip(name: argument.string, request: request, isStandardInput: true))
            } else if folders.contains(argument) {
                for clip in found.clips(below: argument) {
                    (request.clip, request.outputDirectory) = (clip.path, clip.directory)
                    clips.append(Clip(name: clip.path.string, request: request))
                }
            } else {
                request.clip = argument
                clips.append(Clip(name: argument.string, request: request))
            }
        }
        unreadable = found.unreadable.map { Unreadable(name: $0.file?.string ?? "", error: $0) }
        notes = found.notes
        isSingle = Self.areSingle(arguments)
        self.inputError = inputError
        if clips.isEmpty, unreadable.isEmpty { throw found.noClipsError(folders) }
        // The folder in which the results should be, without --output before it: the only folder, and empty.
        if arguments.count > 1, folders.count == 1, let last = arguments.last, last == folders[0],
            template.outputDirectory == ".", (try? FileSystem.names(in: last)) == []
        {
            throw LivePhotoError(
                .unusableMedia, last, "is empty; to write into it: --output \(shellWord(last.string))")
        }
    }

    /// Clips that are not read from arguments, at least one if none is unreadable.
    init(_ clips: [Clip], unreadable: [Unreadable] = []) {
        (self.clips, self.unreadable) = (clips, unreadable)
        (notes, isSingle, inputError) = ([], clips.count == 1 && unreadable.isEmpty, nil)
    }

    /// Replaces each clip by one for each of its moments. A clip that cannot be read remains as an error.
    ///
    /// - Returns: what is not as requested, each one sentence.
    /// - Throws: `LivePhotoError` for the only clip, and with the code `.cancelled`.
    mutating func expand(_ moments: Moments, _ engine: MediaEngine) async throws -> [String] {
        var notes: [String] = []
        var expanded: [Clip] = []
        for clip in clips {
            do {
                let requests = try await ItemTime.item { try await moments.requests(of: clip.request, engine) }
                expanded += requests.map { Clip(name: clip.name, request: $0, isStandardInput: clip.isStandardInput) }
                if case .best(let count) = moments, requests.count < count {
                    notes.append(
                        "\(clip.name): has only \(counted(requests.count, "good moment")) far enough from each other")
                }
            } catch let error as LivePhotoError where !isSingle && error.code != .cancelled {
                unreadable.append(Unreadable(name: clip.name, error: error))
            }
        }
        clips = expanded
        return notes
    }

    /// Names the clips, before or after each is replaced by its moments. A clip without the date that its name needs remains
    /// as an error.
    ///
    /// - Throws: `LivePhotoError` for the only clip.
    mutating func name(by template: NameTemplate) throws(LivePhotoError) {
        var named: [Clip] = []
        for (index, clip) in clips.enumerated() {
            var clip = clip
            do throws(LivePhotoError) {
                let input: FilePath = clip.isStandardInput ? "clip" : clip.request.clip
                clip.request.name = try template.text(for: input, index: index + 1)
                named.append(clip)
            } catch {
                // There is no file of that name.
                let error =
                    clip.isStandardInput
                    ? LivePhotoError(
                        .invalidRequest, SpooledClip.standardInput, "has no date for {date}; give it a name of its own",
                        cause: error)
                    : error
                if isSingle { throw error }
                unreadable.append(Unreadable(name: clip.name, error: error))
            }
        }
        clips = named
    }

    /// Whether there is a single clip, not in a folder.
    static func areSingle(_ arguments: [FilePath]) -> Bool {
        arguments.count == 1 && !arguments.contains { $0.isFolderOfFiles }
    }

    /// Checks standard input, if it is an argument. To be called before any file is opened, which could get its number.
    ///
    /// - Returns: Why it cannot be read, if it is closed.
    /// - Throws: `UsageError`.
    static func checkStandardInput(_ arguments: [FilePath]) throws(UsageError) -> LivePhotoError? {
        let count = arguments.count { $0 == standardInput }
        guard count > 0 else { return nil }
        guard count == 1 else { throw UsageError("'-' is standard input, which can be read only once") }
        do throws(LivePhotoError) {
            try SpooledClip.check()
        } catch {
            return error
        }
        guard !Terminal.isInputInteractive else {
            throw UsageError("'-' is standard input, which is a terminal; pipe a clip into it, or redirect a file")
        }
        return nil
    }

    /// Stores the clip that comes from standard input, if there is one, after everything that can be checked without it. If
    /// it cannot be read, the other clips remain.
    ///
    /// - Parameters:
    ///   - moments: Of each clip; the files of several are checked when they are known.
    ///   - isDryRun: Whether existing files are no error yet.
    /// - Throws: `LivePhotoError` for the only clip, and with the code `.cancelled`.
    mutating func readStandardInput(_ moments: Moments, isDryRun: Bool) async throws {
        guard let index = standardInputIndex else { return }
        let request = clips[index].request
        do {
            let spooled = try await BlockingWork.run { [inputError] cancellation in
                if let inputError { throw inputError }
                let mayExist = request.replacesExisting || isDryRun || !moments.isOne
                try request.target().check(inputs: [request.photo].compactMap(\.self), replacing: mayExist)
                return try SpooledClip(for: request.outputDirectory, cancellation)
            }
            clips[index].request.work.openedClip = spooled.path
            self.spooled = spooled
        } catch let error as LivePhotoError where !isSingle && error.code != .cancelled {
            unreadable.append(Unreadable(name: clips.remove(at: index).name, error: error))
        }
    }
}

extension FolderClips {
    fileprivate var notes: [String] {
        var notes: [String] = []
        if livePhotoMovies > 0 { notes.append("skipped \(counted(livePhotoMovies, "movie")) of Live Photos") }
        if let text = containersText {
            notes.append(
                "skipped \(text); livephoto extract makes Live Photos of \(containers.count == 1 ? "it" : "them")")
        }
        if let skippedFolder { notes.append("skipped the output folder \(skippedFolder)") }
        return notes
    }

    /// `2 containers of a photo and its movie (such as Phone/PXL_1.MP.jpg)`
    private var containersText: String? {
        containers.first.map {
            "\(counted(containers.count, "container")) of a photo and its movie "
                + (containers.count == 1 ? "(\($0))" : "(such as \($0))")
        }
    }

    fileprivate func noClipsError(_ folders: [FilePath]) -> LivePhotoError {
        let movies = livePhotoMovies > 0 ? "\(counted(livePhotoMovies, "movie")) of Live Photos" : nil
        let others = [movies, containersText].compactMap(\.self)
        let outside = skippedFolder.map { " outside of the output folder \($0)" } ?? ""
        let besides = others.isEmpty ? "" : " besides \(others.joined(separator: " and "))"
        let command = "livephoto extract \(folders.map { shellWord($0.string) }.joined(separator: " "))"
        let advice =
            containers.isEmpty ? "" : "; \(command) makes Live Photos of \(containers.count == 1 ? "it" : "them")"
        return LivePhotoError(
            .unusableMedia, folders.count == 1 ? folders[0] : nil,
            "\(folders.count == 1 ? "contains" : "the folders contain") no video files\(outside)\(besides)\(advice)")
    }
}
