import SystemPackage

/// Gives the copies of each pair in a tree a folder and a name. No two pairs get names that differ only in case or extension,
/// which would be one file on many file systems.
struct CopyPlaces: Sendable {
    /// The place of the copies of one pair. Paths of a million pairs would take much memory.
    struct Place: Sendable, Hashable {
        /// The number of the folder.
        fileprivate let folder: Int32
        /// 1 for the photo's own name, to which greater numbers are appended.
        fileprivate let number: Int32
    }

    private struct Folder {
        let path: FilePath
        /// The number of the first folder whose path differs at most in case.
        let first: Int32
    }

    private struct Name: Hashable {
        /// The number of the first folder whose path differs at most in case.
        let folder: Int32
        let name: ComparedName
    }

    private var folders: [Folder] = []
    private var folderNumbers: [FilePath: Int32] = [:]
    private var firsts: [ComparedName: Int32] = [:]
    private var taken: Set<Name> = []
    /// The first number that no pair has taken, by names that several pairs would have.
    private var numbers: [Name: Int32] = [:]

    /// The folder and the name for the copies of a photo; the name is nil for the photo's own.
    func copies(of photo: FilePath, at place: Place) -> (folder: FilePath, name: String?) {
        (folders[Int(place.folder)].path, photo.lastComponent.flatMap { Self.name($0.base, place.number)?.string })
    }

    /// - Parameters:
    ///   - onNew: Called if nothing has a place in the folder yet.
    ///   - isFree: Whether the folder has no other files of that name; nil is the photo's own name.
    mutating func place(
        of photo: FilePath, in folder: FilePath, onNew: () -> Void, isFree: (FilePath.Component?) -> Bool
    ) -> Place {
        let folder = number(of: folder, onNew)
        guard let base = photo.lastComponent?.base else { return Place(folder: folder, number: 1) }
        func key(_ name: FilePath.Component) -> Name {
            Name(folder: folders[Int(folder)].first, name: ComparedName(ignoringCaseOf: name))
        }
        // Each number is taken by one pair at most. One that is not taken may be free for another pair.
        var number = numbers[key(base)] ?? 1
        var isFirst = true
        while true {
            let name = Self.name(base, number)
            let isTaken = taken.contains(key(name ?? base))
            let isTakenNow = !isTaken && isFree(name)
            if isTakenNow { taken.insert(key(name ?? base)) }
            isFirst = isFirst && (isTaken || isTakenNow)
            if isFirst, number > 1 { numbers[key(base)] = number + 1 }
            if isTakenNow { return Place(folder: folder, number: number) }
            number += 1
        }
    }

    private mutating func number(of path: FilePath, _ onNew: () -> Void) -> Int32 {
        if let number = folderNumbers[path] { return number }
        onNew()
        let number = Int32(folders.count)
        let name = ComparedName(ignoringCaseOf: path)
        let first = firsts[name] ?? number
        firsts[name] = first
        folders.append(Folder(path: path, first: first))
        folderNumbers[path] = number
        return number
    }

    /// The name with a number; nil for the first number, with which the name stays as it is. It is text, as all names that a pair
    /// is given.
    private static func name(_ base: FilePath.Component, _ number: Int32) -> FilePath.Component? {
        number == 1 ? nil : FilePath.Component(base.appending("-\(number)").string)
    }
}

/// The names in the folders of an output tree. Each folder is listed once.
struct FolderListings {
    private var names: [FilePath: Set<ComparedName>] = [:]

    /// Whether a folder has the photo or the movie of a pair with this name.
    mutating func hasPair(named base: FilePath.Component, in folder: FilePath) -> Bool {
        let listed =
            names[folder] ?? Set(((try? FileSystem.names(in: folder)) ?? []).map(ComparedName.init(ignoringCaseOf:)))
        names[folder] = listed
        return ["jpg", "heic", "mov"].contains {
            listed.contains(ComparedName(ignoringCaseOf: base.appending(".\($0)")))
        }
    }
}
