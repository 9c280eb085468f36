import LivePhotoKit
public import SystemPackage

/// A preset in the user's preset folder.
public struct OwnPreset: Sendable {
    /// The file's name without `.yaml`.
    public let name: String
    /// The preset's file in the user's preset folder.
    public let file: FilePath
    /// The preset with inherited settings, or the error in its file or in one that it extends.
    public let preset: Result<Preset, LivePhotoError>

    /// Whether `text` is a path and not a preset's name.
    static func isPath(_ text: String) -> Bool {
        text.contains("/") || [".yaml", ".yml", ".json"].contains { text.hasSuffix($0) }
    }

    /// Whether a user's preset can have this name: letters, digits, `-`, `_` and `.`, but not at the start, and not a
    /// path.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix(".") && !isPath(text)
            && text.allSatisfy { $0.isASCIIAlphanumeric || "-_.".contains($0) }
    }
}

extension PresetLibrary {
    /// The presets in `folder`, sorted by name; empty if it does not exist.
    ///
    /// - Throws: `LivePhotoError` with the code `.noInput` if the folder cannot be read; an error in a preset is in that
    ///   preset's result.
    public func ownPresets() throws(LivePhotoError) -> [OwnPreset] {
        try ownFiles().map { file in
            OwnPreset(
                name: file.stem ?? "", file: file,
                preset: Result { () throws(LivePhotoError) in try preset(at: file) })
        }
    }

    /// The valid names of presets in `folder`; empty if it cannot be read.
    package var ownNames: [String] {
        let names = (try? ownFiles().compactMap(\.stem)) ?? []
        return names.filter { OwnPreset.isName($0) && !self.names.contains($0) }
    }

    /// The file of a preset in `folder`; nil if it does not exist.
    func ownFile(named name: String) -> FilePath? {
        guard let folder, OwnPreset.isName(name) else { return nil }
        let file = folder.appending(name + ".yaml")
        return (try? file.stat()) == nil ? nil : file
    }

    /// Whether a file is a preset in `folder`, by whatever path it is accessed.
    func isOwn(_ file: FilePath) -> Bool {
        guard let folder, file.extension == "yaml" else { return false }
        guard let own = try? folder.stat(), let parent = try? file.folder.stat() else { return false }
        return own.deviceID == parent.deviceID && own.inode == parent.inode
    }

    private func ownFiles() throws(LivePhotoError) -> [FilePath] {
        guard let folder else { return [] }
        do {
            return try FileSystem.names(in: folder)
                .filter { $0.extension == "yaml" && !$0.string.hasPrefix(".") }
                .sorted { $0.string < $1.string }
                .map { folder.appending($0) }
        } catch .noSuchFileOrDirectory {
            return []
        } catch {
            throw LivePhotoError(.noInput, file: nil, "cannot read the folder \(folder): \(error)")
        }
    }
}
