import ArgumentParser
import LivePhotoConversion

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says which FFmpeg and x264 this program runs with, and what is missing.",
        discussion: """
            Ends with status 1 when something is missing without which no clip can be converted.

            Examples:
              livephoto doctor
              livephoto doctor || Scripts/bootstrap
            """)

    func run() throws {
        let environment = ConversionEnvironment()
        print("livephoto".padded(to: 14) + Version.current)
        print("FFmpeg".padded(to: 14) + environment.ffmpegRelease)
        for library in environment.libraries {
            print("  \(library.name)".padded(to: 14) + library.version)
        }
        print("x264".padded(to: 14) + (environment.x264.map { "core \($0)" } ?? "missing"))
        for component in environment.components {
            let name = "\(component.kind) \(component.name)".padded(to: 22)
            let state = component.isPresent ? "ok" : (component.isRequired ? "MISSING" : "missing")
            print(name + state.padded(to: 9) + "(\(component.purpose))")
        }
        if environment.isReady {
            print("Everything that a conversion needs is there.")
            return
        }
        print(
            """
            Something is missing without which no clip can be converted. Install a full FFmpeg with libx264:
              Debian, Ubuntu: sudo apt install libavcodec-extra libavfilter-extra libx264-dev
              Fedora:         sudo dnf install ffmpeg-libs x264-libs (from RPM Fusion)
              Arch:           sudo pacman -S ffmpeg x264
              macOS:          brew install ffmpeg
            """)
        throw ExitCode(1)
    }
}
