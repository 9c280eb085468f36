import SystemPackage

extension ImportWork {
    /// Makes an item that nothing else needs, or says what would be made.
    func finalOutcome(of item: ImportItem) async -> LibraryImport.Outcome {
        let outcome = await outcome(of: item)
        digests.forget(item.sources)
        return outcome
    }

    /// Makes an item, or says what would be made.
    func outcome(of item: ImportItem) async -> LibraryImport.Outcome {
        do throws(LivePhotoError) {
            return try await made(item)
        } catch {
            if error.code == .outputExists, let file = error.file {
                let reason = "is there already, and was not made by this import; move it away, and import again"
                return LibraryImport.Outcome(.failed(LivePhotoError(.cannotCreateOutput, file, reason)), item.sources)
            }
            // What cannot be a Live Photo is still worth keeping.
            guard item.isLivePhoto, error.code == .unusableMedia, let place = item.place else {
                return LibraryImport.Outcome(.failed(error), item.sources)
            }
            return await copied(item, at: place, because: error)
        }
    }

    private func made(_ item: ImportItem) async throws(LivePhotoError) -> LibraryImport.Outcome {
        guard let place = item.place else {
            throw LivePhotoError(.internalError, item.path, "internal error: it has no place")
        }
        let maker = ImportMaker(self)
        let kind = maker.kind(of: item)
        let (files, ownDoubts) = try maker.files(of: item, at: place)
        let doubts = item.doubts + ownDoubts
        func outcome(_ status: LibraryImport.Status) -> LibraryImport.Outcome {
            LibraryImport.Outcome(status, item.sources, files: files, doubts: doubts, related: item.related)
        }
        if options.isDryRun { return outcome(.planned(kind)) }
        try log.willCreate(place.folder)
        let old = knownFiles(of: item, files)
        if old.isEmpty, files.contains(where: { FileSystem.exists($0) }), maker.isPresent(item, at: place) {
            try log.append(entry(of: item, kind, files, named: files, doubts, wasFound: true))
            return outcome(.present(kind))
        }
        let replaced = old.flatMap(\.files).filter { FileSystem.exists(log.path(of: $0)) }
        guard old.allSatisfy(log.isUnchanged) else {
            throw LivePhotoError(
                .cannotCreateOutput, files[0], "was changed after it was imported and is left as it is; move it away")
        }
        func isReplaced(_ file: FilePath) -> Bool {
            replaced.contains { isSame(log.path(of: $0), file) }
        }
        // It may have come since the place was found to be free.
        if !replaced.isEmpty, let other = files.first(where: { FileSystem.exists($0) && !isReplaced($0) }) {
            throw LivePhotoError(.outputExists, other, "already exists")
        }
        try rename(old, to: files)
        try await maker.make(item, at: place, replacing: files.contains { FileSystem.exists($0) && isReplaced($0) }) {
            staged in
            try log.append(entry(of: item, kind, staged, named: files, doubts))
        }
        // What the item has besides under another name.
        for file in replaced where !files.contains(where: { isSame($0, log.path(of: file)) }) {
            try ImportUndo.remove(file, of: log)
        }
        return outcome(.made(kind))
    }

    /// Whether two paths lead to one file on any file system: many have place for one of names that differ in case.
    private func isSame(_ file: FilePath, _ other: FilePath) -> Bool {
        file == other || Publisher.haveSameName(file, other)
    }

    /// The items of the log whose files are replaced: an incomplete one, and photos or movies that were alone.
    private func knownFiles(of item: ImportItem, _ files: [FilePath]) -> [ImportLog.Entry] {
        let logged = item.sources.compactMap { try? SourceFile($0) }.compactMap(log.entry(of:)).filter { entry in
            !entry.wasFound && entry.files.contains { files.contains(log.path(of: $0)) }
                && mayReplace(entry, with: item)
        }
        return item.replaced + logged.prefix(1)
    }

    /// Gives files that differ from the new ones only in case their names, since many file systems have place for one.
    private func rename(_ old: [ImportLog.Entry], to files: [FilePath]) throws(LivePhotoError) {
        for entry in old {
            var isRenamed = false
            let made = entry.files.map { file in
                let path = log.path(of: file)
                guard let new = files.first(where: { $0 != path && Publisher.haveSameName($0, path) }) else {
                    return file
                }
                isRenamed = true
                return ImportLog.Made(
                    path: PathText(new.relative(to: log.root)), size: file.size, sha256: file.sha256)
            }
            guard isRenamed else { continue }
            try log.append(
                ImportLog.Entry(
                    kind: entry.kind, sources: entry.sources, files: made, doubts: entry.doubts,
                    related: entry.related, wasFound: false, knowledge: entry.knowledge))
            for (file, new) in zip(entry.files, made) where FileSystem.exists(log.path(of: file)) {
                do throws(Errno) {
                    try FileSystem.move(log.path(of: file), to: log.path(of: new))
                } catch {
                    throw LivePhotoError(writing: log.path(of: new), error)
                }
            }
        }
    }

    /// Copies the files of an item that cannot be made a Live Photo.
    private func copied(
        _ item: ImportItem, at place: ImportPlace, because error: LivePhotoError
    ) async -> LibraryImport.Outcome {
        let doubt = Doubt("\(error)", advice: "it is copied as it is")
        var files: [FilePath] = []
        for (index, source) in item.sources.enumerated() {
            var file = ImportItem(.file(source), doubts: item.doubts + [doubt])
            // The next import knows by this that they were decided about together.
            file.related = index == 0 ? Array(item.sources.dropFirst()) : []
            // Of one name, some programs would take them for a pair.
            file.place = ImportPlace(
                folder: place.folder, name: index == 0 ? place.name : place.name.appending("-\(index + 1)"))
            let outcome = await outcome(of: file)
            if case .failed = outcome.status { return outcome }
            files += outcome.files
        }
        let status: LibraryImport.Status = options.isDryRun ? .planned(.file) : .made(.file)
        return LibraryImport.Outcome(
            status, item.sources, files: files, doubts: item.doubts + [doubt], related: item.related)
    }

    /// - Parameters:
    ///   - staged: The files as they are read now.
    ///   - files: Where they will be.
    private func entry(
        of item: ImportItem, _ kind: LibraryImport.Kind, _ staged: [FilePath], named files: [FilePath],
        _ doubts: [Doubt], wasFound: Bool = false
    ) throws(LivePhotoError) -> ImportLog.Entry {
        var sources: [ImportLog.Source] = []
        for path in item.sources { sources.append(try record(of: path)) }
        var made: [ImportLog.Made] = []
        for (staged, file) in zip(staged, files) {
            made.append(
                ImportLog.Made(
                    path: PathText(file.relative(to: log.root)), size: RecordNumber(try SourceFile(staged).size),
                    sha256: try FileDigests.sha256(staged)))
        }
        return ImportLog.Entry(
            kind: kind, sources: sources, files: made, doubts: doubts,
            related: item.related.prefix(ImportLog.Entry.relatedLimit).map { PathText($0) }, wasFound: wasFound,
            knowledge: item.knowledge)
    }
}
