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
    /// Where photos went that raw pictures may belong to, by where they were.
    private var moved: [Stem: ImportPlace] = [:]
    /// Where raw pictures were.
    private let rawOrigins: Set<Stem>
    private var rawPlaces: Set<Stem> = []
    /// The number to try next for a name that was not free.
    private var numbers: [Stem: Int] = [:]
    /// What was in the folders of the library before.
    private var listed: [FilePath: Set<ComparedName>] = [:]

    /// Bytes of a number and an extension.
    private static let longestEnding = 16

    /// - Throws: `LivePhotoError` if the log of the library was changed meanwhile; `CancellationError`.
    init(_ work: ImportWork, _ items: [ImportItem]) throws {
        self.work = work
        rawOrigins = Set(items.lazy.filter(\.isRaw).compactMap(Self.origin))
        // A second import, which makes nothing, need not read the whole log.
        guard !items.isEmpty else { return }
        for number in 0..<work.log.count {
            try Task.checkCancellation()
            for file in try work.log.entry(at: number).files {
                let path = work.log.path(of: file)
                if let name = path.lastComponent { taken.insert(Stem(path.removingLastComponent(), name.base)) }
            }
        }
    }

    /// The indices of the items in the order in which they get their places.
    func order(of items: [ImportItem]) -> [Int] {
        items.indices.filter { !items[$0].isRaw } + items.indices.filter { items[$0].isRaw }
    }

    /// - Parameter folder: In the library, by date.
    mutating func place(of item: ImportItem, in folder: FilePath) -> ImportPlace {
        let base = item.baseName.cut(leaving: Self.longestEnding)
        let origin = rawOrigins.isEmpty ? nil : Self.origin(of: item).flatMap { rawOrigins.contains($0) ? $0 : nil }
        if item.isRaw, let origin, let place = moved[origin], rawPlaces.insert(origin).inserted,
            !FileSystem.exists(place.folder.file(place.name.appending(".\(item.path.extension ?? "")")))
        {
            return place
        }
        // What was logged, and is missing now, gets its place again.
        if let place = earlierPlace(of: item, in: folder) {
            if let origin, item.isPhoto { moved[origin] = place }
            return place
        }
        let ending = ending(of: item)
        while true {
            let number = numbers.isEmpty ? 1 : numbers[Stem(folder, base), default: 1]
            let name = number == 1 && ending.isEmpty ? base : base.appending((number == 1 ? "" : "-\(number)") + ending)
            let stem = Stem(folder, name)
            let canHaveIt = !taken.contains(stem) && isFree(name, for: item, in: folder)
            // The first number needs no entry if the name itself is taken then.
            if number > 1 || !canHaveIt || !ending.isEmpty { numbers[Stem(folder, base)] = number + 1 }
            guard canHaveIt else { continue }
            taken.insert(stem)
            let place = ImportPlace(folder: folder, name: name)
            if let origin, item.isPhoto { moved[origin] = place }
            return place
        }
    }

    /// Galleries know a motion photo by this ending of its name.
    private func ending(of item: ImportItem) -> String {
        item.isLivePhoto && work.options.form == .android ? ".MP" : ""
    }

    /// A file's folder and its name without extension.
    private static func origin(of item: ImportItem) -> Stem? {
        item.path.lastComponent.map { Stem(item.path.removingLastComponent(), $0.base) }
    }

    /// The place of what the log knows of the item, unless something else has taken it or was changed there.
    private func earlierPlace(of item: ImportItem, in newFolder: FilePath) -> ImportPlace? {
        guard !work.log.isEmpty else { return nil }
        let logged = item.sources.lazy.compactMap { try? SourceFile($0) }.compactMap { work.log.entry(of: $0) }.first
        guard let entry = item.replaced.first ?? logged, let made = entry.files.first, !entry.wasFound,
            work.log.isUnchanged(entry), work.mayReplace(entry, with: item)
        else { return nil }
        let path = work.log.path(of: made)
        let folder = path.removingLastComponent()
        // A date that was not known has another folder.
        if folder != newFolder, work.mayBeBetterKnown(entry, item.knowledge) { return nil }
        guard let old = path.lastComponent?.base else { return nil }
        // The photo of a motion photo may have been alone.
        let ending = ending(of: item)
        let name = old.string.hasSuffix(ending) ? old : old.appending(ending)
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
