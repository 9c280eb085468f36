import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

/// What shells offer for the arguments and options of the commands.
extension CompletionKind {
    static let clips = files(FileTree.clipExtensions.sorted())
    /// What `convert --photo` reads.
    static let pictures = files(FileTree.photoExtensions.sorted() + ["png", "webp", "avif", "tif", "tiff", "bmp"])
    static let pairs = files(FileTree.photoExtensions.sorted() + FileTree.movieExtensions.sorted())
    /// Files that `inspect` reads. A `.pvt` is a folder, and shells offer all folders.
    static let pairsAndContainers = files(
        FileTree.photoExtensions.sorted() + FileTree.movieExtensions.sorted() + FileTree.archiveExtensions.sorted())
    /// Files from which `extract` gets pairs.
    static let containers = files(FileTree.photoExtensions.sorted() + FileTree.archiveExtensions.sorted())
    static let jobFiles = files(["yaml", "yml", "json", "jsonl"])
    static let colorTables = files(["cube"])
    static let reports = files(["jsonl"])

    /// The names of the presets at the time of the completion. `CompletionScript` adds their files.
    static let presets = CompletionKind.shellCommand(presetNames)
    static let presetNames = "livephoto presets list --names 2>/dev/null"

    static func words<Value: OptionValue>(of _: Value.Type) -> CompletionKind { .list(Value.words) }

    /// Files with these extensions in lower and upper case, and folders.
    static func files(_ extensions: [String]) -> CompletionKind {
        .file(extensions: extensions + extensions.map { $0.uppercased() }.filter { !extensions.contains($0) })
    }
}
