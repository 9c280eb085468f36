import LivePhotoRequests

/// What manual pages say beyond the help.
struct ManualNote {
    /// An environment variable or a file.
    let name: String
    let text: String
    /// The commands with this option, and those in `commands`, have the note; all do if both are missing.
    private let option: String?
    private let commands: [String]

    private init(_ name: String, _ text: String, option: String? = nil, commands: [String] = []) {
        (self.name, self.text, self.option, self.commands) = (name, text, option, commands)
    }

    /// - Parameter names: of the command: `presets`, `show`; empty for the program, to which all notes apply.
    func applies(to command: CommandDescription, _ names: [String]) -> Bool {
        guard let first = names.first, option != nil || !commands.isEmpty else { return true }
        return commands.contains(first) || option.map { command.arguments.named($0) != nil } ?? false
    }

    static let environment = [
        ManualNote(
            "LIVEPHOTO_SANDBOX", "The value of --sandbox if that option is not given: auto, require or off.",
            option: "--sandbox"),
        ManualNote(
            "LIVEPHOTO_CONFIG",
            "The file with the user's own defaults for options, instead of ~/.config/livephoto/config.yaml; empty for none."
        ),
        ManualNote(
            "XDG_CONFIG_HOME",
            "The absolute path of the folder that contains livephoto/config.yaml and livephoto/presets (default: ~/.config)."
        ),
        ManualNote(
            "XDG_STATE_HOME",
            "The absolute path of the folder that contains livephoto/key, which signs undo records (default: "
                + "~/.local/state).",
            option: "--in-place"),
        ManualNote("NO_COLOR", "If it is set and not empty, errors and warnings have no colour on a terminal."),
        ManualNote(
            "SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX",
            "The part of the batch for '--shard auto', set by Slurm, Kubernetes and AWS Batch.", option: "--shard"),
    ]

    static let files = [
        ManualNote(
            "~/.config/livephoto/config.yaml",
            "The user's own defaults for options: 'sandbox: require' for all commands, or below the name of a command."),
        ManualNote(
            "~/.config/livephoto/presets/NAME.yaml", "The preset NAME of the user.", option: "--preset",
            commands: ["presets", "batch"]),
        ManualNote(
            ".livephoto-undo", "The journal in a folder whose files were changed with --in-place, for 'undo'.",
            option: "--in-place", commands: ["undo"]),
        ManualNote(
            "~/.local/state/livephoto/key",
            "The secret that signs undo records, so that those from elsewhere have no effect. Without it, what was changed "
                + "before cannot be undone.", option: "--in-place"),
        ManualNote(
            ".livephoto-batch", "The state of a batch, in its output folder.", commands: ["batch"]),
    ]

    /// The meanings of the exit statuses, as in Documentation/Commands.md.
    static let exitStatuses = [
        ("0", "Success"),
        (
            "1",
            "A check found a problem, one of several files or jobs failed, 'undo' left a file as it is, or 'share' ended before "
                + "everything was fetched"
        ),
        ("64", "Wrong usage, or an error in a preset or job file"),
        ("65", "The file cannot be used"),
        ("66", "The file does not exist or cannot be read"),
        ("69", "A library, a program or a kernel feature is missing"),
        ("70", "Internal error"),
        ("73", "The output cannot be created"),
        ("74", "Reading or writing failed; also if the work is done, but its result could not be printed"),
        ("75", "Temporary failure, such as a file that another program is changing; try again later"),
        ("129, 130, 143", "Stopped by SIGHUP, SIGINT or SIGTERM"),
    ]
}
