import LivePhotoBatch

/// Prints what `convert` made or would make.
struct ConvertOutput: Sendable {
    let isJSON: Bool
    /// Whether plans include the filters of FFmpeg.
    let isVerbose: Bool
    let progress: ProgressOptions

    /// Prints the only result.
    func print(_ result: ConversionResult, ofOnly clip: String) throws {
        for warning in result.warnings where !isJSON { progress.say("warning: \(warning)") }
        if isJSON {
            Terminal.printResult(try JSON.text(ClipDocument(clip, ResultDocument(result))))
        } else {
            printFiles(result)
        }
    }

    /// Explains on stderr why a pair does not have the clip's name.
    func note(_ request: ConversionRequest, photo: FilePath, movie: FilePath) {
        guard !isJSON, let note = request.renamingNote(photo: photo, movie: movie) else { return }
        progress.say("note: \(note)")
    }

    /// The only plan.
    func text(of plan: PlanSummary, _ target: PublishTarget, ofOnly clip: ClipArguments.Clip) throws -> String {
        isJSON
            ? try JSON.text(ClipDocument(clip.name, ResultDocument(plan, target)))
            : lines(of: plan, target, clip.request)
    }

    /// Prints one of several results.
    func print(_ result: ConversionResult, of clip: ClipArguments.Clip) throws {
        if isJSON {
            return Terminal.printResult(try JSON.text(ClipDocument(clip.name, ResultDocument(result))))
        }
        for warning in result.warnings {
            progress.say("warning: \(clip.request.container ?? clip.request.clip): \(warning)")
        }
        note(clip.request, photo: result.photo, movie: result.movie)
        printFiles(result)
    }

    /// Prints one of several plans, separated by empty lines.
    func print(_ plan: PlanSummary, _ target: PublishTarget, of clip: ClipArguments.Clip, isFirst: Bool) throws {
        if isJSON {
            return try Terminal.print(JSON.text(ClipDocument(clip.name, ResultDocument(plan, target))))
        }
        try Terminal.print((isFirst ? "" : "\n") + lines(of: plan, target, clip.request))
        note(clip.request, photo: target.photo, movie: target.movie)
    }

    /// Prints a pair that was made before. Only JSON names it: on the terminal, it is counted.
    func print(existing pair: LivePhoto, of clip: ClipArguments.Clip) throws {
        if isJSON { Terminal.printResult(try JSON.text(ClipDocument(clip.name, existing: pair))) }
    }

    /// Prints the error of the only clip as JSON; the command prints the sentence.
    func failSingle(_ clip: String, _ error: LivePhotoError) throws {
        if isJSON { Terminal.printResult(try JSON.text(ClipDocument(clip, error))) }
    }

    /// Prints the error of one of several clips.
    func fail(_ clip: String, _ error: LivePhotoError) throws {
        if isJSON { Terminal.printResult(try JSON.text(ClipDocument(clip, error))) }
        let isNamed = error.file != nil || clip.isEmpty
        let named = isNamed ? error : LivePhotoError(error.code, FilePath(clip), error.reason)
        Terminal.say(error: named, ofSeveral: true)
    }

    /// Prints the two paths, or on a terminal a summary unless --quiet was given.
    private func printFiles(_ result: ConversionResult) {
        let isSummary = Terminal.isOutputInteractive && !progress.quiet
        Terminal.printResult(lines: isSummary ? [result.summary] : [result.photo.string, result.movie.string])
    }

    /// The plan and the files that would be written, with control characters from files escaped.
    private func lines(of plan: PlanSummary, _ target: PublishTarget, _ request: ConversionRequest) -> String {
        let filters = isVerbose ? ["filters: \(plan.filters)"] : []
        let lines =
            ["files: \(target.photo), \(target.movie)"]
            + request.named(plan.description).split(separator: "\n").map(String.init)
        return (lines + filters).map(printable).joined(separator: "\n")
    }
}
