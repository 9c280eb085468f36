import StillImage
import SystemPackage

/// The folders and numbered files of a camera's card, as the rule for cameras names them (DCF 2.0, CIPA DC-009, 3.2): a
/// folder has a number from 100 to 999 and five characters, a file four characters and a number from 1 to 9999.
struct CameraCard {
    /// The card's folder of pictures.
    private let pictures: FilePath
    /// The names of its folders by their numbers.
    private var folders: [Int: [FilePath.Component]] = [:]
    /// The highest number of a file in the folders of each number.
    private var lastFiles: [Int: Int] = [:]
    /// Photos by their sizes.
    private var photos: [Int: [FilePath]] = [:]
    /// Pairs that are to be copied, by the sizes of their photos.
    private var planned: [Int: [(photo: FilePath, movie: FilePath, target: PublishTarget)]] = [:]

    private static let folderNumbers = 100...999
    private static let lastFile = 9999
    private static let maker = "APPLE"

    /// - Parameters:
    ///   - card: The card's root, which need not exist.
    ///   - removesLeftovers: Whether what a killed run has left is completed or removed first. Half of a pair would take a number.
    /// - Throws: `LivePhotoError` for a folder that cannot be listed.
    init(_ card: FilePath, removesLeftovers: Bool) throws(LivePhotoError) {
        let roots = try Self.names(in: card).filter { $0.string.uppercased() == "DCIM" }
        let root = roots.first { $0.string == "DCIM" } ?? roots.first
        pictures = card.appending(root ?? "DCIM")
        for name in try Self.names(in: pictures) {
            guard let number = Self.folderNumber(name.string) else { continue }
            folders[number, default: []].append(name)
            if removesLeftovers { Publisher.removeLeftovers(in: pictures.appending(name)) }
            for file in try Self.names(in: pictures.appending(name)) {
                guard let fileNumber = Self.fileNumber(file.base.string) else { continue }
                lastFiles[number] = max(lastFiles[number] ?? 0, fileNumber)
                guard FileTree.photoExtensions.contains(file.extension?.lowercased() ?? "") else { continue }
                let path = pictures.appending(name).appending(file)
                if let size = try? path.stat().size { photos[Int(size), default: []].append(path) }
            }
        }
    }

    /// The names for one more pair.
    ///
    /// - Throws: `LivePhotoError` if all numbers are used.
    mutating func next(_ format: PhotoMetadata.Format) throws(LivePhotoError) -> PublishTarget {
        let lastFolder = folders.keys.max()
        let highest = lastFiles.values.max() ?? 0
        var folder = lastFolder.flatMap { number in ownFolder(number).map { (number, $0) } }
        // After the last number, they begin again in a new folder.
        var file = highest < Self.lastFile ? highest + 1 : (lastFolder.flatMap { lastFiles[$0] } ?? 0) + 1
        if folder == nil || file > Self.lastFile {
            let number = (lastFolder ?? Self.folderNumbers.lowerBound - 1) + 1
            guard Self.folderNumbers.contains(number), let name = FilePath.Component("\(number)\(Self.maker)") else {
                throw LivePhotoError(
                    .cannotCreateOutput, pictures, "has no free number for another folder; give an empty card")
            }
            folders[number] = [name]
            folder = (number, name)
            if file > Self.lastFile || highest == Self.lastFile { file = 1 }
        }
        guard let folder else { throw LivePhotoError(.internalError, pictures, "has no folder for another file") }
        lastFiles[folder.0] = file
        return try PublishTarget(
            directory: pictures.appending(folder.1), name: "IMG_\(padded(file, 4))", photo: format)
    }

    /// Remembers a pair that is to be copied, for `copy(ofPhoto:movie:)`.
    mutating func plan(_ target: PublishTarget, ofPhoto photo: FilePath, movie: FilePath) {
        guard let size = try? photo.stat().size else { return }
        planned[Int(size), default: []].append((photo, movie, target))
    }

    /// The pair with the same content on the card, or to be copied to it; nil if there is none.
    func copy(ofPhoto photo: FilePath, movie: FilePath) -> [FilePath]? {
        guard let size = try? photo.stat().size else { return nil }
        for path in photos[Int(size)] ?? [] where FileSystem.haveSameContent(photo, path) {
            guard let found = try? PairPaths(besides: path), FileSystem.haveSameContent(movie, found.movie) else {
                continue
            }
            return [found.photo, found.movie]
        }
        for pair in planned[Int(size)] ?? []
        where FileSystem.haveSameContent(photo, pair.photo) && FileSystem.haveSameContent(movie, pair.movie) {
            return [pair.target.photo, pair.target.movie]
        }
        return nil
    }

    /// The folder of this number that has Apple's name.
    private func ownFolder(_ number: Int) -> FilePath.Component? {
        folders[number]?.first { $0.string.dropFirst(3).uppercased() == Self.maker }
    }

    private static func names(in folder: FilePath) throws(LivePhotoError) -> [FilePath.Component] {
        do throws(Errno) {
            return try FileSystem.names(in: folder).sorted { $0.string < $1.string }
        } catch {
            if error == .noSuchFileOrDirectory || error == .notDirectory { return [] }
            throw LivePhotoError(reading: folder, error)
        }
    }

    private static func folderNumber(_ name: String) -> Int? {
        guard name.count == 8, name.dropFirst(3).allSatisfy(isFree), name.prefix(3).allSatisfy(isDigit) else {
            return nil
        }
        return Int(name.prefix(3)).flatMap { folderNumbers.contains($0) ? $0 : nil }
    }

    private static func fileNumber(_ stem: String) -> Int? {
        guard stem.count == 8, stem.prefix(4).allSatisfy(isFree), stem.suffix(4).allSatisfy(isDigit) else {
            return nil
        }
        return Int(stem.suffix(4)).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    private static func isFree(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }
}
