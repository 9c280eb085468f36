import ArgumentParser
import LivePhotoConversion

@main
struct Main {
    static func main() async {
        do {
            var command = try LivephotoCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            Failure(error).exit()
        }
    }
}

struct LivephotoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "livephoto",
        abstract: "Turns any clip into an Apple Live Photo: a key photo and its paired video.",
        discussion: """
            Examples:
              livephoto convert beach.mp4
              livephoto convert beach.mp4 --still 0:01:02.5 --output ~/LivePhotos
            """,
        version: Version.current,
        subcommands: [ConvertCommand.self, PresetsCommand.self, DoctorCommand.self])
}

enum Version {
    static let current = "0.1.0"
}
