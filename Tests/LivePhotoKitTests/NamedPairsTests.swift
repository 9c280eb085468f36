import LivePhotoKit
import MediaModel
import SystemPackage
import Testing

/// Which photos and movies belong together by their names.
@Suite struct NamedPairsTests {
    private static let long = "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P"

    /// - Parameter names: A name, and after a colon the last digit of an identifier.
    private static func items(_ names: [String]) -> [PairFinder.Item] {
        names.map { name in
            let parts = name.split(separator: ":")
            return PairFinder.Item(
                path: FilePath(String(parts[0])),
                identifier: parts.count > 1 ? StoredIdentifier(FileText(String(parts[1]))) : nil)
        }
    }

    private static func isMovie(_ name: String) -> Bool {
        let kind = FilePath(String(name.split(separator: ":")[0])).extension?.lowercased() ?? ""
        return FileTree.movieExtensions.union(ExportedName.motionExtensions).contains(kind)
    }

    /// The pairs as `photo + movie`, the ambiguous files as `? file file`. Files whose names end alike have equal content.
    private static func found(_ names: [String]) throws -> [String] {
        let clips = names.filter { FilePath($0).extension.map(["avi", "mkv", "webm", "3gp"].contains) ?? false }
        let pairs = try NamedPairs(
            photos: items(names.filter { !isMovie($0) && !clips.contains($0) }), movies: items(names.filter(isMovie)),
            clips: items(clips),
            haveSameContent: { $0.lastComponent == $1.lastComponent })
        return pairs.found.map { found in
            switch found {
            case .pair(let pair): "\(pair.photo.path) + \(pair.movie.path)"
            case .leftAlone(let files, _): "? \(files.map(\.string).joined(separator: " "))"
            }
        }
    }

    /// A photo and a movie that belong together, alone in a folder.
    private static let partners: [(String, String)] = [
        ("IMG_1.HEIC", "IMG_1.MP4"), ("IMG_1.HEIC", "IMG_1.MOV"), ("IMG_1.jpg", "IMG_1.JPG.mov"),
        // Numbers, which Takeout puts before or after the first extension.
        ("IMG_1(1).HEIC", "IMG_1(1).MP4"), ("IMG_1.HEIC", "IMG_1.HEIC.MP4"), ("IMG_1(1).HEIC", "IMG_1.HEIC(1).MP4"),
        ("IMG_1.HEIC(1).HEIC", "IMG_1(1).MP4"), ("IMG_1(12).HEIC", "IMG_1(12).HEIC.MP4"),
        ("IMG_1 (1).HEIC", "IMG_1(1).MP4"),
        // Case.
        ("IMG_1.HEIC", "img_1.mp4"), ("img_1.heic", "IMG_1.HEIC.MP4"), ("Ä.JPG", "ä.MOV"), ("a\u{308}.jpg", "ä.mov"),
        // Motion Photos.
        ("PXL_1.MP.jpg", "PXL_1.MP"), ("PXL_1.MP.jpg", "PXL_1.mp4"), ("PXL_1.jpg", "PXL_1.MP"),
        ("PXL_1.MP~2.jpg", "PXL_1.MP~2"), ("PXL_1~2.jpg", "PXL_1.MP~2"), ("PXL_1~2.jpg", "PXL_1~2.mp4"),
        ("PXL_1.MP~2(1).jpg", "PXL_1~2(1).MP4"), ("PXL_1.MP(1).jpg", "PXL_1(1).MP"), ("MVIMG_1.jpg", "MVIMG_1.MV"),
        // Edited photos without their originals.
        ("IMG_1-edited.jpg", "IMG_1.MP4"), ("IMG_1-edited(1).jpg", "IMG_1(1).MP4"),
        ("IMG_1-bearbeitet.jpg", "IMG_1.MP4"),
        ("IMG_1-modifié.jpg", "IMG_1.mov"), ("IMG_1-modifie\u{301}.jpg", "IMG_1.mov"), ("IMG_1-編集済み.jpg", "IMG_1.mov"),
        ("IMG_1-ha editado.jpg", "IMG_1.mov"), ("IMG_1-EDITED.jpg", "img_1.mov"),
        ("IMG_1-edited.jpg", "IMG_1-edited.MP4"),
        // Names that were cut.
        ("\(long).HEIC", "\(long).MP4"), ("\(long)(1).HEIC", "\(long)(1).MP4"), ("\(long)ORTRAIT.jpg", "\(long).mp4"),
        ("\(long.dropLast()).jpg", "\(long).mp4"), ("\(long.dropLast(2)).HEIC", "\(long.dropLast(2)).MP4"),
        ("\(long.dropLast(2)).HEIC", "\(long.dropLast(2)).H.MP4"),
        ("\(long.dropLast(4)).HEIC", "\(long.dropLast(4)).HEI.MP4"),
        ("\(long.dropLast(5))-edi.HEIC", "\(long.dropLast(5)).MP4"),
        ("\(long.dropLast(2)).jpg", "\(long.dropLast(2))..mp4"),
        // Programs for iCloud.
        ("IMG_1.HEIC", "IMG_1_HEVC.MOV"),
        // Numbers and marks that are all of the name.
        ("(1).jpg", "(1).mov"), ("-edited.jpg", "-edited.mov"), ("~2.jpg", "~2.mov"), (".MP.jpg", ".MP.mp4"),
    ]

    @Test(arguments: partners) func `the photo and the movie belong together`(photo: String, movie: String) throws {
        #expect(try Self.found(["a/\(photo)", "a/\(movie)"]) == ["a/\(photo) + a/\(movie)"])
        // Their identifiers agree, or one of them is missing.
        #expect(try Self.found(["a/\(photo):1", "a/\(movie)"]) == ["a/\(photo) + a/\(movie)"])
        #expect(try Self.found(["a/\(photo):1", "a/\(movie):1"]) == ["a/\(photo) + a/\(movie)"])
    }

    /// A photo and a movie that do not belong together.
    private static let strangers: [(String, String)] = [
        ("IMG_1.JPG", "IMG_1(1).MP4"), ("IMG_1(1).JPG", "IMG_1.MP4"), ("IMG_1(1).JPG", "IMG_1(2).MP4"),
        ("IMG_1.JPG", "IMG_1.JPG(1).MP4"), ("IMG_1.JPG", "IMG_2.MP4"), ("IMG_1.JPG", "IMG_11.MP4"),
        ("PXL_1.MP.jpg", "PXL_1.MP~2"), ("PXL_1~2.jpg", "PXL_1~3.mp4"), ("PXL_1~2.jpg", "PXL_1.mp4"),
        ("IMG_1.JPG", "IMG_1-1.MP4"), ("IMG_1 .JPG", "IMG_1.MP4"), ("IMG_1_HEVC.JPG", "IMG_1.MOV"),
        ("IMG_1(12345).JPG", "IMG_1(2).MP4"), ("IMG(1)_1.JPG", "IMG_1(1).MP4"), ("IMG_1-edi.jpg", "IMG_1.mov"),
        // Too short to be cut, or not beginning alike.
        ("\(long.dropLast(2)).jpg", "\(long.dropLast(3)).mp4"), ("\(long)A.jpg", "\(long)B.mp4"),
        ("\(long.dropLast())A.jpg", "\(long.dropLast())B.mp4"), ("\(long)(1).HEIC", "\(long).MP4"),
        ("\(long)XYZ.jpg", "\(long)X.mp4"),
    ]

    @Test(arguments: strangers) func `the photo and the movie do not belong together`(photo: String, movie: String)
        throws
    {
        #expect(try Self.found(["a/\(photo)", "a/\(movie)"]) == [])
        #expect(try Self.found(["a/\(photo)", "b/\(movie)"]) == [])
    }

    @Test(arguments: [
        // Each finds its own, and the rest is left as it is.
        (
            ["1.HEIC", "1.MP4", "1(1).HEIC", "1.HEIC(1).MP4", "1-edited.HEIC"],
            ["1.HEIC + 1.MP4", "1(1).HEIC + 1.HEIC(1).MP4"]
        ),
        (["1.HEIC", "1-edited.HEIC", "1.MP4", "1-edited.MP4"], ["1.HEIC + 1.MP4", "1-edited.HEIC + 1-edited.MP4"]),
        (["X.jpg", "x.jpg", "X.mov", "x.mov"], ["X.jpg + X.mov", "x.jpg + x.mov"]),
        (["X.jpg", "x.jpg", "X.MOV"], ["X.jpg + X.MOV"]),
        (["X.jpg", "x.jpg", "x.JPG.mov"], ["? X.jpg x.jpg x.JPG.mov"]),
        (["P.MP.jpg", "P.MP", "P.MP~2.jpg", "P.MP~2"], ["P.MP.jpg + P.MP", "P.MP~2.jpg + P.MP~2"]),
        // As Takeout writes two Live Photos of one name, one of them a JPEG: only identifiers tell which is which.
        (
            ["2.HEIC:1", "2.JPG:2", "2.MP4:1", "2(1).MP4:2"], ["2.HEIC + 2.MP4", "2.JPG + 2(1).MP4"]
        ),
        (["2.HEIC", "2.JPG", "2.MP4", "2(1).MP4"], ["? 2.HEIC 2.JPG 2.MP4"]),
        // Identifiers go before names: crossed numbers, other names, other folders.
        (["1.jpg:1", "1.mov:2", "1(1).jpg:2", "1(1).mov:1"], ["1.jpg + 1(1).mov", "1(1).jpg + 1.mov"]),
        (["1.jpg:1", "1.mov", "2.mov:1"], ["1.jpg + 2.mov"]),
        (["1.jpg:1", "1.mov:2", "2.jpg:2", "2.mov:1"], ["1.jpg + 2.mov", "2.jpg + 1.mov"]),
        (["a/1.jpg:1", "a/1.mov", "b/1.mov:1"], ["a/1.jpg + b/1.mov"]),
        (["a/1.jpg:1", "a/1.mov:1", "b/1.jpg:1", "b/1.mov:1"], ["a/1.jpg + a/1.mov", "b/1.jpg + b/1.mov"]),
        (["1.jpg:1", "1(1).jpg:1", "1.mov:1", "1(1).mov:1"], ["1.jpg + 1.mov", "1(1).jpg + 1(1).mov"]),
        (["1.jpg:1", "1.mov:2"], ["? 1.jpg 1.mov"]), (["1.jpg:1", "2.mov:1"], ["1.jpg + 2.mov"]),
        // Cut to the same name.
        (["\(long)AB.jpg", "\(long)AC.jpg", "\(long).mp4"], []),
        // Different folders.
        (["a/1.jpg", "b/1.mov"], ["a/1.jpg + b/1.mov"]), (["a/1.jpg:1", "b/2.mov:1"], ["a/1.jpg + b/2.mov"]),
        (["a/1.jpg", "b/1.jpg", "c/1.mov", "d/1.mov"], ["a/1.jpg + c/1.mov"]),
        (["a/1.jpg", "b/1.JPG", "c/1.mov"], ["? a/1.jpg b/1.JPG c/1.mov"]),
        (["a/1.jpg", "a/1.mov", "b/1.jpg", "c/1.mov"], ["a/1.jpg + a/1.mov", "b/1.jpg + c/1.mov"]),
        (["a/1.jpg:1", "b/1.mov:2"], []), (["a/1(1).jpg", "b/1.mov"], []),
    ]) func `each file finds its own among others`(names: [String], pairs: [String]) throws {
        #expect(try Self.found(names) == pairs)
        #expect(try Self.found(names.reversed()).count == pairs.count)
    }

    @Test(arguments: [
        (["1.jpg", "1.avi"], ["1.jpg + 1.avi"]), (["1.jpg", "1.JPG.3gp"], ["1.jpg + 1.JPG.3gp"]),
        (["1-edited.jpg", "1.mkv"], ["1-edited.jpg + 1.mkv"]), (["1.jpg", "1.mov", "1.webm"], ["1.jpg + 1.mov"]),
        (["1.jpg", "1.avi", "1.mkv"], ["? 1.jpg 1.avi 1.mkv"]), (["a/1.jpg", "b/1.avi"], []),
    ]) func `a clip in another format belongs to the photo of its name that has no movie`(
        names: [String], pairs: [String]
    ) throws {
        #expect(try Self.found(names) == pairs)
    }

    @Test func `the files of one name in many folders are not all compared with each other`() throws {
        let (photos, movies) = ((0..<100).map { "\($0)/1.jpg" }, (0..<100).map { "m\($0)/1.mov" })
        for (areEqual, limit) in [(false, 1), (true, 198)] {
            var count = 0
            let pairs = try NamedPairs(photos: Self.items(photos), movies: Self.items(movies)) { _, _ in
                count += 1
                return areEqual
            }
            #expect(pairs.found.count == 1 && count == limit)
        }
    }

    @Test func `a name that is not UTF-8 belongs to its own bytes only`() throws {
        func item(_ bytes: [UInt8]) -> PairFinder.Item {
            PairFinder.Item(
                path: FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0]), identifier: nil)
        }
        let (photo, movie) = (item([0xE9] + Array(".jpg".utf8)), item([0xE8] + Array(".mov".utf8)))
        #expect(try NamedPairs(photos: [photo], movies: [movie]).found.isEmpty)
        #expect(try NamedPairs(photos: [photo], movies: [item([0xE9] + Array(".mov".utf8))]).found.count == 1)
    }

    @Test func `nothing is paired any more once the task is cancelled`() async {
        let pairing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try NamedPairs(photos: Self.items(["1.jpg"]), movies: Self.items(["1.mov"])).found.count
        }
        await #expect(throws: CancellationError.self) { try await pairing.value }
    }
}
