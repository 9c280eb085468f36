import LivePhotoKit
import SystemPackage

/// A clip or Live Photo that the studio was opened with, found in a folder, or was given in the page.
struct StudioItem: Sendable {
    enum Source: Sendable {
        case clip(FilePath)
        case pair(PairPaths)
        /// A motion photo, a bundle or an archive.
        case container(FilePath)
        case unreadable(LivePhotoError)
    }

    /// From 1.
    let id: Int
    /// For display.
    let name: String
    /// The folder that it was found in, below the one that was given; empty for others.
    let folder: String
    let source: Source
    /// The folder of what is made of it.
    let output: FilePath
    /// Whether it is a copy that is removed when the studio ends.
    var isUpload = false
    /// Whether it is no longer found as this, such as a clip that was linked to a photo.
    var isGone = false

    /// The file that names it: the clip, the photo or the container; nil for what cannot be read.
    var path: FilePath? {
        switch source {
        case .clip(let path), .container(let path): path
        case .pair(let pair): pair.photo
        case .unreadable(let error): error.file
        }
    }

    /// What commands are given: an upload is known by its name.
    var argument: FilePath { isUpload ? FilePath(name) : path ?? FilePath(name) }

    /// What it is: `clip`, `pair` or `unreadable`.
    var kind: String {
        switch source {
        case .clip: "clip"
        case .pair, .container: "pair"
        case .unreadable: "unreadable"
        }
    }

    var isClip: Bool { if case .clip = source { true } else { false } }

    var problem: LivePhotoError? { if case .unreadable(let error) = source { error } else { nil } }
}
