import SystemPackage

/// Gives each item a folder and a name in the library. No two items get names that differ only in case or extension, which
/// would be one file on many file systems, or a Live Photo for some programs; except that a raw picture keeps the name of
/// the photo that a camera wrote beside it.
struct ImportPlaces {
    private struct Stem: Hashable {
        let folder: FilePath
        let name: ComparedName

        init(_ folder: FilePath, _ name: FilePath.Component) {
            (self.folder, self.name) = (folder, ComparedName(ignoringCaseOf: name))
        }
    }

    private let work: ImportWork
    private var taken: Set<Stem> = []
    /// Where photos went, by where they were.
    private var moved: [Stem: ImportPlace] = [:]
    private var rawPlaces: Set<Stem> = []
    /// The number to try next for a name.
    private var numbers: [Stem: Int] = [:]
    /// What was in the folders of the library before.
    private var listed: [FilePath: Set<ComparedName>] = [:]

    /// Bytes of a number and an extension.
    private static let longestEnding = 16

    init(_ work: ImportWork) {
        self.work = work
        for file in work.log.entries.flatMap(\.files) {
            let path = work.log.path(of: file)
            if let name = path.lastComponent { taken.insert(Stem(path.removingLastComponent(), name.base)) }
        }
    }

    /// The indices of the items in the order in which they get their places.
    func order(of items: [ImportItem]) -> [Int] {
        items.indices.filter { !items[$0].isRaw } + items.indices.filter { items[$0].isRaw }
    }

    /// - Parameter folder: In the library, by date.
    mutating func place(of item: ImportItem, in folder: FilePath) -> ImportPlace {
        let base = item.baseName.cut(leaving: Self.longestEnding)
        let origin = Stem(item.path.removingLastComponent(), item.path.lastComponent?.base ?? base)
        if item.isRaw, let place = moved[origin], rawPlaces.insert(origin).inserted,
            !FileSystem.exists(place.folder.file(place.name.appending(".\(item.path.extension ?? "")")))
        {
            return place
        }
        // What was logged, and is missing now, gets its place again.
        if let place = earlierPlace(of: item) {
            moved[origin] = place
            return place
        }
        // Galleries know a motion photo by this ending.
        let ending = item.isLivePhoto && work.options.form == .android ? ".MP" : ""
        while true {
            let number = numbers[Stem(folder, base), default: 1]
            numbers[Stem(folder, base)] = number + 1
            let name = base.appending((number == 1 ? "" : "-\(number)") + ending)
            guard !taken.contains(Stem(folder, name)), isFree(name, for: item, in: folder) else { continue }
            taken.insert(Stem(folder, name))
            let place = ImportPlace(folder: folder, name: name)
            moved[origin] = place
            return place
        }
    }

    /// The place of what the log knows of the item, unless something else has taken it or was changed there.
    private func earlierPlace(of item: ImportItem) -> ImportPlace? {
        let logged = item.sources.lazy.compactMap { try? SourceFile($0) }.compactMap { work.log.entry(of: $0) }.first
        guard let entry = item.replaced.first ?? logged, let made = entry.files.first, !entry.wasFound,
            work.log.isUnchanged(entry), work.mayReplace(entry, with: item)
        else { return nil }
        let path = work.log.path(of: made)
        let folder = path.removingLastComponent()
        guard let name = path.lastComponent?.base else { return nil }
        let own = Set(entry.files.compactMap(\.path.path.lastComponent))
        let others = ((try? FileSystem.names(in: folder)) ?? []).filter {
            ComparedName(ignoringCaseOf: $0.base) == ComparedName(ignoringCaseOf: name) && !own.contains($0)
        }
        return others.isEmpty ? ImportPlace(folder: folder, name: name) : nil
    }

    /// Whether there is nothing of that name in the folder, or exactly what the item becomes.
    private mutating func isFree(_ name: FilePath.Component, for item: ImportItem, in folder: FilePath) -> Bool {
        if listed[folder] == nil {
            let names = (try? FileSystem.names(in: folder)) ?? []
            listed[folder] = Set(names.map { ComparedName(ignoringCaseOf: $0.base) })
        }
        guard listed[folder]?.contains(ComparedName(ignoringCaseOf: name)) == true else { return true }
        return ImportMaker(work).isPresent(item, at: ImportPlace(folder: folder, name: name))
    }
}
