import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// What proves that a photo and a movie of one name belong together, so that the movie is not searched for the photo.
@Suite struct PairEvidenceTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// Seconds since 1904 for 2025-09-12 11:45:10 in UTC.
    private static let moment: UInt64 = 3_840_522_310
    private static let local = "2025-09-12T13:45:10"

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var photo = "a/1.jpg"
        var movie = "a/1.mov"
        var photoDate: String? = "\(local)+0200"
        var movieDate: UInt64? = moment
        /// The movie's date in its metadata, which precedes that of the header.
        var movieText: String?
        var size = SamplePair.size
        var sidecar: String?
        var comparesAll = false
        let search: StillSearch
    }

    private static let cases: [Case] = [
        Case(testDescription: "equal dates", search: .ifUnknown),
        Case(testDescription: "some seconds between the dates", movieDate: moment + 9, search: .ifUnknown),
        Case(testDescription: "a photo in an unknown time zone", photoDate: local, search: .ifUnknown),
        Case(testDescription: "local time in the movie's header", movieDate: moment + 7200, search: .ifUnknown),
        Case(testDescription: "a quarter of an hour", movieDate: moment + 900, search: .always),
        Case(testDescription: "half a minute", movieDate: moment + 30, search: .always),
        Case(testDescription: "another day", movieDate: moment + 86_400, search: .always),
        Case(testDescription: "hours apart in known zones", movieText: "2025-09-12T23:45:10+0200", search: .always),
        Case(testDescription: "equal in known zones", movieText: "2025-09-12T12:45:10+0100", search: .ifUnknown),
        Case(
            testDescription: "a day without a time", photoDate: "2025-09-12T12:00:00", movieDate: moment + 890,
            search: .always),
        Case(
            testDescription: "noon, and a second later", photoDate: "2025-09-12T12:00:00+0200",
            movieDate: moment - 6309, search: .ifUnknown),
        Case(
            testDescription: "noon in an unknown zone, and a second later", photoDate: "2025-09-12T12:00:00",
            movieDate: moment - 6309, search: .always),
        Case(testDescription: "a movie without a date", movieDate: nil, search: .always),
        Case(testDescription: "a photo without a date", photoDate: nil, search: .always),
        Case(
            testDescription: "a photo with a sidecar", photoDate: nil,
            sidecar: #"{"photoTakenTime": {"timestamp": "1757677510"}}"#, search: .ifUnknown),
        Case(
            testDescription: "one sidecar for both", photoDate: nil, movieDate: nil,
            sidecar: #"{"photoTakenTime": {"timestamp": "1757677510"}}"#, search: .always),
        Case(
            testDescription: "one second in both names", photo: "a/IMG_20250912_134510.jpg",
            movie: "a/IMG_20250912_134510.mov", photoDate: nil, movieDate: nil, search: .always),
        Case(testDescription: "another shape", size: PixelSize(width: 1000, height: 1000), search: .always),
        Case(testDescription: "other folders", movie: "b/1.mov", search: .ifUnknown),
        Case(testDescription: "other folders and an unknown zone", movie: "b/1.mov", photoDate: local, search: .always),
        Case(testDescription: "an edited photo", photo: "a/1-edited.jpg", photoDate: local, search: .always),
        Case(testDescription: "a search for every photo", comparesAll: true, search: .always),
    ]

    @Test(arguments: cases)
    func `a movie is searched for the photo only if dates, shapes and names leave a doubt`(_ test: Case) async throws {
        var pair = try SamplePair.plain.get()
        (pair.photoName, pair.movieName) = (test.photo, test.movie)
        if test.size != SamplePair.size {
            pair.photo = try PhotoEditor(SamplePair.jpeg(size: test.size)).applying(
                ExifUpdate(contentIdentifier: .remove))
        }
        if let date = test.photoDate.flatMap(CaptureDate.init(iso8601:)) {
            pair.photo = try PhotoEditor(pair.photo).applying(ExifUpdate(captureDate: .set(date)))
        }
        try pair.changeMovie {
            $0.header.times.creation = test.movieDate ?? 0
            guard let text = test.movieText else { return }
            $0.metadata = MetadataBox(items: [MetadataItem(key: .creationDate, value: .text(FileText(text)))])
        }
        try pair.write(below: temporary.path.appending("tree"))
        if let sidecar = test.sidecar { try temporary.write(sidecar, to: "tree/\(test.photo).json") }

        let searches = Mutex<[StillSearch]>([])
        var linker = FolderLinker(isDryRun: true) { _, _, search throws(LivePhotoError) in
            searches.withLock { $0.append(search) }
            return StillMoment(
                time: MediaTime(value: SamplePair.stillTime, timescale: 600), source: .photo(similarity: 0.9))
        }
        linker.comparesAll = test.comparesAll
        var linkable = 0
        try await linker.link(
            below: temporary.path.appending("tree"),
            to: .directory(temporary.path.appending("out"), replacesExisting: false)
        ) { outcome in
            if case .linkable = outcome.status { linkable += 1 }
        }
        #expect(searches.withLock { $0 } == [test.search] && linkable == 1)
    }

    @Test func `the movie of a motion photo belongs to it, and its still is where the photo says`() async throws {
        let tree = temporary.path.appending("tree")
        try FileManager.default.createDirectory(atPath: tree.string, withIntermediateDirectories: true)
        try SamplePair().write(below: temporary.path)
        let packed = PairTransfer().pack(
            photo: temporary.path.appending("IMG_1.JPG"), movie: temporary.path.appending("IMG_1.MOV"),
            as: .motionPhoto, to: tree)
        #expect(packed.state == .made)
        // Phones other than iPhones write no still time into the movie.
        let photo = tree.appending("IMG_1.MP.jpg")
        var bytes = try InputFile(photo).contents(limit: 1 << 20)
        try SamplePair.replace("quicktime.still-image-time", by: "quicktime.still-image-none", in: &bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: photo.string))
        try PairContainer(photo).writeMovie(to: tree.appending("IMG_1.MP"))
        let linker = FolderLinker(isDryRun: true) { _, _, _ throws(LivePhotoError) in
            throw LivePhotoError(.internalError, nil, "the movie was searched")
        }
        try await linker.link(
            below: tree, to: .directory(temporary.path.appending("out"), replacesExisting: false)
        ) { outcome in
            guard case .linkable(let moment, _) = outcome.status else {
                Issue.record("\(outcome)")
                return
            }
            let still = MediaTime(value: SamplePair.stillTime, timescale: 600)
            #expect(moment.source == .photoMetadata && moment.time == still)
        }
        // Another movie of the same size proves nothing.
        let movie = URL(fileURLWithPath: tree.appending("IMG_1.MP").string)
        var other = try Data(contentsOf: movie)
        other[other.count - 1] ^= 1
        try other.write(to: movie)
        try await linker.link(
            below: tree, to: .directory(temporary.path.appending("out"), replacesExisting: false)
        ) { outcome in
            guard case .failed(let error) = outcome.status else {
                Issue.record("\(outcome)")
                return
            }
            #expect(error.code == .internalError)
        }
    }
}
