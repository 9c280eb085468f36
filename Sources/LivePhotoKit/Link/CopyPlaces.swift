import MediaModel
import SystemPackage

/// Assigns a folder and a name to the copies of each pair in a tree. No two pairs get names that differ only in case or
/// extension, which would be one file on many file systems.
struct CopyPlaces {
    /// The name of a pair's copies.
    enum Name: Sendable, Hashable {
        /// Nil for the photo's own name.
        case new(String?)
        /// An equal pair has a place already.
        case taken
    }

    /// The paths in lower case, without extension.
    private var places: Set<String> = []
    private var contents: Set<ContentIdentifier> = []

    /// - Parameters:
    ///   - content: Identifies the content of both files; nil if it is not known.
    ///   - isFree: Whether the folder has no other files of that name; nil is the photo's own name.
    mutating func name(
        of photo: FilePath, in directory: FilePath, content: ContentIdentifier?, isFree: (String?) -> Bool
    ) -> Name {
        if let content, !contents.insert(content).inserted { return .taken }
        guard let base = photo.lastComponent?.base else { return .new(nil) }
        // Each number is taken by one file at most.
        for number in 1... {
            let name = number == 1 ? base : base.appending("-\(number)")
            let key = directory.appending(name).string.lowercased()
            let text = number == 1 ? nil : name.string
            guard !places.contains(key), isFree(text) else { continue }
            places.insert(key)
            return .new(text)
        }
        return .new(nil)
    }
}

/// The names in the folders of an output tree, in lower case. Each folder is listed once.
struct FolderListings {
    private var names: [FilePath: Set<String>] = [:]

    /// Whether a folder has the photo or the movie of a pair with this name.
    mutating func hasPair(named base: String, in folder: FilePath) -> Bool {
        let listed =
            names[folder] ?? Set(((try? FileSystem.names(in: folder)) ?? []).map { $0.string.lowercased() })
        names[folder] = listed
        return ["jpg", "heic", "mov"].contains { listed.contains("\(base.lowercased()).\($0)") }
    }
}
