import LivePhotoKit
import SystemPackage

/// Checks that a path is a regular file with content, before anything is read.
package enum InputFileCheck {
    /// - Parameters:
    ///   - kind: what the file should be.
    ///   - expected: what to give instead of a folder.
    package static func check(
        _ path: FilePath, is kind: String = "clip", _ expected: String = "a video file"
    ) throws(LivePhotoError) {
        guard !path.isEmpty else { throw LivePhotoError(.noInput, nil, "no \(kind) is named") }
        let status: Stat
        do {
            status = try path.stat()
        } catch {
            let failure = LivePhotoError(reading: path, error)
            guard failure.code == .inputOutput, error != .ioError else { throw failure }
            throw LivePhotoError(.noInput, path, "cannot be opened: \(error)", cause: error)
        }
        switch status.type {
        case .regular: break
        case .directory:
            throw LivePhotoError(.unusableMedia, path, "is a directory; give \(expected)")
        default:
            throw LivePhotoError(.unusableMedia, path, "is not a regular file; save the \(kind) to a file first")
        }
        guard status.size > 0 else {
            throw LivePhotoError(.unusableMedia, path, "is empty (0 bytes)")
        }
    }

    /// Checks the clip of a conversion. A file that already has a photo and its movie needs no conversion.
    package static func checkClip(_ path: FilePath) throws(LivePhotoError) {
        if let type = try? path.stat().type, [.regular, .directory].contains(type),
            let container = try? PairContainer(path)
        {
            throw LivePhotoError(
                .unusableMedia, path,
                "is \(container.kind.name), not a clip; livephoto extract \(shellWord(path.string)) makes a Live Photo of it"
            )
        }
        try check(path)
    }
}

extension PairContainer.Kind {
    fileprivate var name: String {
        switch self {
        case .pvt: "a .pvt folder"
        case .livp: "a .livp file"
        case .zip: "a zip file with a photo and a movie"
        case .motionPhoto: "a Motion Photo"
        case .microVideo: "a MicroVideo"
        case .samsung: "a Samsung motion photo"
        case .huawei: "a moving photo of Huawei or Honor"
        case .undescribed: "a photo with a movie in it"
        }
    }
}
