import LivePhotoKit

/// The user's folders, from environment variables.
enum UserFolder {
    static func home(_ environment: [String: String] = CurrentProcess.environment) -> FilePath? {
        environment["HOME"].flatMap { $0.isEmpty ? nil : FilePath($0) }
    }

    /// `$XDG_CONFIG_HOME/livephoto`.
    ///
    /// XDG Base Directory Specification 0.8: relative paths are ignored, and the default is `~/.config`.
    static func configuration(_ environment: [String: String] = CurrentProcess.environment) -> FilePath? {
        let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
        return (folder ?? home(environment)?.appending(".config"))?.appending("livephoto")
    }
}
