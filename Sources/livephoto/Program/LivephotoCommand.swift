import ArgumentParser

struct LivephotoCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "livephoto",
        abstract: "Turn any clip into an Apple Live Photo: a key photo and its paired video.",
        subcommands: [
            ConvertCommand.self, FramesCommand.self, BatchCommand.self, ReportCommand.self, InspectCommand.self,
            VerifyCommand.self,
            RulesCommand.self, LinkCommand.self, UnlinkCommand.self, EditCommand.self, ExtractCommand.self,
            PackCommand.self, ExportCommand.self, PreviewCommand.self, PresetsCommand.self, DoctorCommand.self,
            CompletionsCommand.self, ManualCommand.self,
        ])

    static let examples = [
        "livephoto convert beach.mp4",
        "livephoto convert beach.mp4 --still 2.5 --output ~/LivePhotos",
    ]

    @Flag(help: "Show the version and the commit; with --verbose, also the versions of the libraries.")
    var version = false
}
