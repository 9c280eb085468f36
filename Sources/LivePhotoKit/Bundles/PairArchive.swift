import Bytes
package import Files
import MediaModel
import StillImage
import SystemPackage

/// A ZIP archive of many Live Photos, planned before any of them is copied. No file is open for longer than it is read.
package struct PairArchive: Sendable {
    package enum Form: Sendable {
        /// A .pvt folder for each, which the Files app of an iPhone unpacks and shows.
        case bundles
        /// Only their files, for computers.
        case files
    }

    package enum Content: Sendable {
        case bytes([UInt8])
        case file(KnownFile)
    }

    /// The files and, for bundles, the folders.
    package let contents: [Content]
    package let layout: ZipLayout

    /// - Throws: `LivePhotoError` for files that cannot be read or are too large.
    package init(_ pairs: [PairPaths], as form: Form) throws(LivePhotoError) {
        var names = DistinctNames()
        var contents: [Content] = []
        var entries: [ZipLayout.Entry] = []
        func add(_ name: FileText, _ content: Content) {
            contents.append(content)
            entries.append(ZipLayout.Entry(name: name, size: content.size))
        }
        for pair in pairs {
            let (photo, format) = try PackedPair.photo(pair.photo)
            do {
                let movie = try InputFile(pair.movie)
                let files = try BundleFiles(photo: photo, format, movie: movie)
                let (still, video) = (Content.file(try KnownFile(photo)), Content.file(try KnownFile(movie)))
                // A number and an ending follow.
                let stem = PairNames.written(pair.photo.lastComponent?.base, reserve: 12).string()
                switch form {
                case .bundles:
                    let folder = "\(names.distinct(stem)).pvt/"
                    add(FileText(folder), .bytes([]))
                    add(FileText("\(folder)\(files.photoName.string)"), still)
                    add(FileText("\(folder)\(files.movieName.string)"), video)
                    add(FileText("\(folder)\(BundleFiles.listName.string)"), .bytes(files.list))
                case .files:
                    let stem = names.distinct(stem)
                    add(FileText("\(stem).\(files.photoName.extension ?? "JPG")"), still)
                    add(FileText("\(stem).\(files.movieName.extension ?? "MOV")"), video)
                }
            } catch {
                throw PairContainer.failure(error, pair.movie)
            }
        }
        self.contents = contents
        do {
            layout = try ZipLayout(entries)
        } catch {
            throw LivePhotoError(
                .unusableMedia, pairs.first?.movie, "is too large for a .zip, whose files have at most 4 GB",
                cause: error)
        }
    }

    /// The archive, with all files open.
    ///
    /// - Throws: `Errno`; `FileChanged`.
    func pieces() throws -> FilePieces {
        try layout.pieces(
            contents.map { content in
                switch content {
                case .bytes(let bytes):
                    var pieces = FilePieces()
                    pieces.append(bytes)
                    return pieces
                case .file(let known): return FilePieces(try known.open())
                }
            })
    }

    /// - Parameter didWrite: called after each entry with the number of bytes written so far.
    /// - Throws: `Errno` of reading and writing; `FileChanged`.
    func write(to output: OutputFile, didWrite: (Int) -> Void) throws {
        var checksums: [UInt32] = []
        for (index, content) in contents.enumerated() {
            let checksum = try content.checksum()
            try output.write(layout.header(of: index, checksum: checksum))
            switch content {
            case .bytes(let bytes): try output.write(bytes)
            case .file(let known): try output.write(0..<known.size, of: known.open())
            }
            checksums.append(checksum)
            didWrite(output.position)
        }
        try output.write(layout.end(checksums: checksums))
    }

    /// Whether a file is this archive. If the sizes differ, nothing is read.
    func isPresent(at target: FilePath) -> Bool {
        guard let file = try? InputFile(target), file.size == layout.count else { return false }
        func holds(_ bytes: [UInt8], at place: Int) throws -> Bool {
            try file.bytes(at: place, count: bytes.count) == bytes
        }
        do {
            var checksums: [UInt32] = []
            for (index, content) in contents.enumerated() {
                let place = layout.place(of: index)
                let checksum = try content.checksum()
                let header = layout.header(of: index, checksum: checksum)
                guard try holds(header, at: place.lowerBound - header.count) else { return false }
                switch content {
                case .bytes(let bytes): guard try holds(bytes, at: place.lowerBound) else { return false }
                case .file(let known):
                    guard try known.open().hasSameBytes(at: 0..<known.size, as: file, at: place.lowerBound) else {
                        return false
                    }
                }
                checksums.append(checksum)
            }
            return try holds(layout.end(checksums: checksums), at: layout.count - layout.endSize)
        } catch {
            return false
        }
    }
}

extension PairArchive.Content {
    /// In bytes.
    var size: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let known): known.size
        }
    }

    /// The checksum of its bytes, for which a file is read.
    ///
    /// - Throws: `Errno`; `FileChanged`.
    package func checksum() throws -> UInt32 {
        switch self {
        case .bytes(let bytes): return CRC32.of(bytes)
        case .file(let known):
            var checksum = CRC32()
            try FilePieces(known.open()).forEach { checksum.update($0) }
            return checksum.value
        }
    }
}

/// Names that are each used once, also where case does not count.
package struct DistinctNames {
    private var taken: Set<String> = []

    package init() {}

    /// The name itself, or `IMG_1 2` if another one has it.
    package mutating func distinct(_ name: String) -> String {
        var result = name
        var number = 1
        while !taken.insert(result.lowercased()).inserted {
            number += 1
            result = "\(name) \(number)"
        }
        return result
    }
}
