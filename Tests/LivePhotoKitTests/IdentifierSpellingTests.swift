import Foundation
import LivePhotoKit
import SystemPackage
import TestSupport
import Testing

/// Photos compares content identifiers byte for byte, but spellings that differ only in case mean the same pair.
@Suite struct IdentifierSpellingTests {
    private let temporary: TemporaryFolder
    private var photo: FilePath { temporary.path.appending("IMG_1.JPG") }
    private var movie: FilePath { temporary.path.appending("IMG_1.MOV") }

    /// The photo's identifier is in upper case, the movie's in lower case; a second movie has another one.
    init() throws {
        temporary = try TemporaryFolder()
        var pair = try SamplePair()
        try SamplePair.replace(SamplePair.identifier, by: SamplePair.identifier.lowercased(), in: &pair.movie)
        try pair.write(below: temporary.path)
        try SamplePair.write("IMG_1.mp4", identifier: 7, below: temporary.path)
    }

    @Test func `the movie of a photo is found by either`() throws {
        #expect(try PairPaths(besides: photo, byIdentifierOnly: true).movie == movie)
        #expect(try PairPaths(besides: movie, byIdentifierOnly: true).photo == photo)
        #expect(throws: LivePhotoError.self) { try PairPaths(besides: temporary.path.appending("IMG_1.mp4")) }
    }

    @Test func `a pair in a folder is one, whatever its files are called`() async throws {
        try FileManager.default.moveItem(atPath: movie.string, toPath: temporary.path("clip.MOV"))
        let report = try await LivePhotoVerifier().verify(below: [temporary.path], width: 1)
        #expect(report.pairs.map { $0.movie.lastComponent?.string } == ["clip.MOV"])
        #expect(report.pairs.first?.findings.map(\.rule.id).contains("identifiers-equal") == true)
        #expect(report.files.map(\.finding.rule.id) == ["movie-alone"])
        let clips = try await FolderClips(below: [temporary.path], to: temporary.path, width: 1)
        #expect(
            clips.clips(below: temporary.path).map { $0.path.lastComponent?.string } == ["IMG_1.mp4"]
                && clips.livePhotoMovies == 1)
    }

    @Test func `linking a pair makes them the same, and unlinking removes both`() throws {
        let out = temporary.path.appending("out")
        let destination = LivePhotoLinker.Destination.directory(out, replacesExisting: true)
        try LivePhotoLinker().unlink(photo: photo, movie: movie, to: destination)
        let linked = try LivePhotoLinker().link(photo: photo, movie: movie, to: destination).livePhoto
        #expect(linked.contentIdentifier.string == SamplePair.identifier)
        #expect(try LivePhotoVerifier().verify(photo: linked.photo, movie: linked.movie).isGood)
    }
}
