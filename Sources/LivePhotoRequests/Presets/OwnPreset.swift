import LivePhotoKit
public import SystemPackage

/// A preset that a user keeps in the library's folder.
public struct OwnPreset: Sendable {
    /// The file's name without `.yaml`.
    public let name: String
    /// Its path.
    public let file: FilePath
    /// The preset, whole, or what is wrong with its file or with one that it extends.
    public let preset: Result<Preset, LivePhotoError>

    /// Whether `text` is a path rather than a name.
    static func isPath(_ text: String) -> Bool {
        text.contains("/") || [".yaml", ".yml", ".json"].contains { text.hasSuffix($0) }
    }

    /// Whether a user's preset can have this name: letters, digits, `-`, `_` and `.`, though no hidden file and none
    /// that would be taken for a path.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix(".") && !isPath(text)
            && text.allSatisfy { $0.isASCIIAlphanumeric || "-_.".contains($0) }
    }
}

extension PresetLibrary {
    /// The presets in `folder`, in the order of their names; none where it is not there.
    ///
    /// - Throws: `LivePhotoError` `.unreadable` for the folder; an error in a preset is in that preset's result.
    public func ownPresets() throws(LivePhotoError) -> [OwnPreset] {
        try ownFiles().map { file in
            OwnPreset(
                name: file.stem ?? "", file: file,
                preset: Result { () throws(LivePhotoError) in try preset(at: file) })
        }
    }

    /// The names by which presets in `folder` can be asked for; none where it cannot be read.
    var ownNames: [String] {
        let names = (try? ownFiles().compactMap(\.stem)) ?? []
        return names.filter { OwnPreset.isName($0) && !self.names.contains($0) }
    }

    /// The file that a preset of that name has in `folder`; nil where there is none.
    func ownFile(named name: String) -> FilePath? {
        guard let folder, OwnPreset.isName(name) else { return nil }
        let file = folder.appending(name + ".yaml")
        return (try? file.stat()) == nil ? nil : file
    }

    /// Whether a file is a preset in `folder`, whichever path leads to it.
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
