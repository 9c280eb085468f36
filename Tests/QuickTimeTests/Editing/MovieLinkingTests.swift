import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

@Suite struct MovieLinkingTests {
    private let folder: TemporaryFolder
    private static let identifier = ContentIdentifier()
    private static let movie = TestMovie(audioPackets: 12)

    init() throws {
        folder = try TemporaryFolder()
    }

    enum Way: CaseIterable {
        case inPlace, copy
    }

    private func apply(_ edit: MovieEdit, _ way: Way) throws -> MovieReader {
        let path: FilePath
        switch way {
        case .inPlace:
            path = edit.reader.file.path
            try FileChange.apply(edit.changesInPlace(), to: path)
        case .copy:
            path = folder.unusedPath
            try edit.write(to: OutputFile(creating: path))
        }
        return try MovieReader(InputFile(path))
    }

    private func link(_ reader: MovieReader, frame: Int = 2) throws -> MovieEdit {
        let times = try #require(try reader.tracks.first?.frameTimes().times)
        return try MovieEdit(linking: reader, contentIdentifier: Self.identifier, stillTime: times[frame])
    }

    @Test(
        arguments: [
            Container(), Container(isMovieFirst: true), Container(isLong: true), Container(isISO: true),
            Container(isISO: true, isMovieFirst: true), Container(isISO: true, isMovieFirst: true, isLong: true),
            Container(isISO: true, isMovieFirst: true, isOpenEnded: true),
            Container(isISO: true, movieTimescale: 1000, mediaTimescale: 15360),
            Container(isISO: true, movieTimescale: 1000, mediaTimescale: 90000),
            Container(isISO: true, movieTimescale: 90000, mediaTimescale: 15360),
            Container(movieTimescale: 1000, mediaTimescale: 24), Container(movieTimescale: 600, mediaTimescale: 24000),
            Container(movieTimescale: 999_983, mediaTimescale: 999_979), Container(hasFileType: false),
        ], Way.allCases)
    func `a movie is linked with its media as they were`(_ container: Container, way: Way) throws {
        let before = try MovieReader(folder.file(Self.movie.bytes(in: container, folder: folder)))
        let times = try before.tracks[0].frameTimes().times
        let mediaBefore = try media(of: before)
        let after = try apply(link(before), way)
        #expect(after.contentIdentifier == FileText(Self.identifier.string))
        let candidate = try #require(try after.stillImageTimeCandidates().first)
        #expect(candidate.stillImageTime?.time == times[2] && candidate.stillImageTime?.value == [0xFF])
        let still = candidate.track
        #expect(still.box.references?.references.map(\.trackIDs) == [[1]] && still.id == 3)
        #expect(still.box.header.duration == (still.box.edit?.list?.entries.first?.duration ?? 0) + 1)
        #expect(after.movie.header.nextTrackID == 4)
        #expect(try media(of: after) == mediaBefore && mediaBefore.map(\.count) == [5, 12])
        #expect(try after.tracks[0].frameTimes().times == times)
        #expect(after.boxes.filter { $0.type == "moov" }.count == 1)
        if container.hasFileType || way == .copy { #expect(after.fileType?.majorBrand == "qt  ") }
        if container.hasFileType { #expect(after.fileType?.compatibleBrands.allSatisfy { $0 == "qt  " } == true) }
        // The sound is where it was, but for the rounding of the movie's clock.
        let delay = try (before.tracks[1].timeline().delay, after.tracks[1].timeline().delay)
        #expect(abs(delay.0.seconds - delay.1.seconds) < 1e-6)
    }

    @Test(arguments: Way.allCases)
    func `other tracks of a QuickTime movie stay as they are`(_ way: Way) throws {
        let bytes = try Self.movie.bytes(in: Container(), folder: folder)
        let before = try MovieReader(folder.file(bytes))
        let after = try apply(link(before), way)
        for (old, new) in zip(before.tracks, after.tracks) {
            var new = new.box
            // A copy has neither `wide` nor another `ftyp`: the offsets stay.
            new.media.information.sampleTable.chunkOffsets = old.box.media.information.sampleTable.chunkOffsets
            #expect(new == old.box)
        }
    }

    @Test func `an ISO movie gets the boxes of QuickTime`() throws {
        let before = try MovieReader(folder.file(Self.movie.bytes(in: Container(isISO: true), folder: folder)))
        let after = try apply(link(before), .copy)
        for track in after.tracks {
            let media = track.box.media
            #expect(media.handler.componentType == "mhlr" && track.box.header.flags == .all)
            #expect(media.information.dataHandler?.subtype == "alis")
            #expect(media.information.dataInformation?.references?.entries == [.init(type: "alis", flags: 1, data: [])])
        }
        #expect(after.tracks[0].box.media.handler.nameField == [7] + Array("Handler".utf8))
        let picture = try #require(
            try after.tracks[0].box.media.information.sampleTable.descriptions.firstEntry(as: VisualSampleEntry.self))
        #expect(picture.color?.parameters == .quickTime(.bt709))
        let sound = try #require(
            try after.tracks[1].box.media.information.sampleTable.descriptions.firstEntry(as: AudioSampleEntry.self))
        guard case .version1(let packets) = sound.layout else {
            Issue.record("the sound description is not of version 1")
            return
        }
        #expect(packets.samplesPerPacket == 1024 && packets.bytesPerSample == 2)
        #expect(sound.compressionID == -2 && sound.streamDescriptor == nil)
        #expect(sound.wave?.format == "mp4a" && sound.wave?.streamDescriptor?.decoderSpecificInfo == [0x11, 0x90])
    }

    @Test(arguments: Way.allCases)
    func `unlinking brings back the movie that was linked`(_ way: Way) throws {
        let plain = try MovieReader(
            folder.file(Self.movie.bytes(in: Container(), folder: folder) { movie, _ in movie.metadata = nil }))
        let (movie, media) = (plain.movie, try QuickTimeTests.media(of: plain))
        let linked = try apply(link(plain), way)
        let linkedMovie = linked.movie
        let unlinked = try apply(MovieEdit(unlinking: linked), way)
        #expect(try unlinked.contentIdentifier == nil && unlinked.stillImageTimeCandidates().isEmpty)
        #expect(unlinked.movie.metadata == nil && unlinked.movie.tracks.count == movie.tracks.count)
        let again = try apply(link(unlinked), way)
        #expect(again.tracks.map(\.kind) == [.video, .audio, .metadata])
        #expect(again.movie.metadata == linkedMovie.metadata)
        #expect(try QuickTimeTests.media(of: again) == media)
        #expect(try MovieEdit(unlinking: plain).isUnchanged && MovieEdit(unlinking: plain).changesInPlace().isEmpty)
    }

    @Test(arguments: ["mdir", "\0\0\0\0"] as [FourCC])
    func `unlinking removes an identifier that is read in metadata with another handler`(_ handler: FourCC) throws {
        let linked = try Self.movie.bytes(in: Container(), folder: folder) { movie, _ in
            movie.metadata?.handler?.subtype = handler
        }
        let reader = try MovieReader(folder.file(linked))
        #expect(reader.contentIdentifier != nil)
        #expect(try apply(MovieEdit(unlinking: reader), .copy).contentIdentifier == nil)
    }

    @Test func `a track of the still image time is replaced in its place and keeps its transform`() throws {
        let transform = [UInt8](repeating: 7, count: 72)
        let values = hex("00000009 00000005 ff 00000050 00000009") + transform
        let bytes = try Self.movie.bytes(in: Container(), folder: folder, appended: values) { movie, offset in
            var still = StillImageTimeTrack.track(
                id: 7, stillTime: 40, sampleOffset: offset, videoTrackID: 1, times: .unknown)
            var table = still.media.information.sampleTable
            var entry = try #require(try table.descriptions.firstEntry(as: TimedMetadataSampleEntry.self))
            entry.keys[0].localID = 5
            entry.keys.append(entry.keys[0])
            entry.keys[1].localID = 9
            entry.keys[1].key = .stillImageTransform
            entry.keys[1].dataType = .wellKnown(MetadataType(rawValue: 83))
            table.descriptions = SampleDescriptionBox(entry)
            table.sampleSizes.sizes = .each([UInt32(values.count)])
            still.media.information.sampleTable = table
            // A second one, and what a copy leaves of such a track.
            var stripped = still
            stripped.header.trackID = 8
            stripped.media.handler.subtype = "stts"
            stripped.media.information.sampleTable.descriptions.entries = []
            movie.tracks = [movie.tracks[0], still, movie.tracks[1], still, stripped]
            movie.header.nextTrackID = 9
        }
        let after = try apply(link(MovieReader(folder.file(bytes))), .copy)
        #expect(after.tracks.map(\.id) == [1, 7, 2] && after.movie.header.nextTrackID == 9)
        let still = try #require(try after.stillImageTime())
        #expect(still.time == TestMovie.ticks(80) && still.value == [0xFF])
        #expect(still.otherValues.map(\.bytes) == [transform])
        #expect(still.otherValues.first?.key == .stillImageTransform && still.otherValues.first?.localID == 2)
    }

    @Test func `a track of the still image time comes before other timed metadata`() throws {
        var pair = try SamplePair()
        try pair.makeWallpaper()
        try pair.changeMovie { $0.tracks.swapAt(1, 2) }
        let before = try MovieReader(folder.file(pair.movie))
        #expect(before.livePhotoInfoTrack?.id == before.tracks[1].id)
        let after = try apply(link(before), .copy)
        #expect(after.tracks.map(\.id) == [1, 2, 3] && after.livePhotoInfoTrack?.id == 3)
        let unlinked = try apply(MovieEdit(unlinking: before), .copy)
        let again = try apply(link(unlinked), .inPlace)
        #expect(try again.tracks[1].metadataKeys().map(\.key) == [.stillImageTime])
        #expect(again.livePhotoInfoTrack?.id == again.tracks[2].id)
    }

    @Test func `a track keeps its place where empty edits delay the video`() throws {
        let container = Container(movieTimescale: 1000, mediaTimescale: 999_983)
        let bytes = try Self.movie.bytes(in: container, folder: folder) { movie, _ in
            movie.tracks[0].edit?.list?.entries.insert(.init(duration: 333, mediaTime: nil), at: 0)
        }
        let before = try MovieReader(folder.file(bytes))
        let old = try before.tracks[0].frameTimes().times
        let after = try apply(link(before), .inPlace)
        let still = try #require(try after.stillImageTime())
        let times = try after.tracks[0].frameTimes().times
        #expect(times.contains(still.time))
        #expect(zip(old, times).allSatisfy { abs($0.seconds - $1.seconds) < 1e-6 })
    }

    @Test func `a movie whose tables of sound make no sense keeps them`() throws {
        let bytes = try Self.movie.bytes(in: Container(isISO: true), folder: folder) { movie, _ in
            movie.tracks[1].media.information.sampleTable.sampleSizes.sizes = .uniform(size: 1, count: 2_678_784)
        }
        let before = try MovieReader(folder.file(bytes))
        let after = try apply(link(before), .copy)
        let sizes = after.tracks[1].box.media.information.sampleTable.sampleSizes.sizes
        #expect(sizes == .uniform(size: 1, count: 2_678_784))
        let offsets = [before, after].map { $0.tracks[1].box.media.information.sampleTable.chunkOffsets.offsets[0] }
        #expect(offsets[0] - offsets[1] == UInt64(28 - 20))
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout MovieBox) -> Void
        init(_ testDescription: String, _ change: @escaping @Sendable (inout MovieBox) -> Void) {
            self.testDescription = testDescription
            self.change = change
        }
    }

    @Test(arguments: [
        Refusal("the movie is fragmented") { $0.others.append(OpaqueBox(type: "mvex")) },
        Refusal("track 1 of the movie is encrypted") {
            $0.tracks[0].media.information.sampleTable.descriptions.entries[0].type = "encv"
        },
        Refusal("the movie's video is AV1,") {
            $0.tracks[0].media.information.sampleTable.descriptions.entries[0].type = "av01"
        },
        Refusal("the movie has no video") { $0.tracks.removeFirst() },
        Refusal("the media of track 2 are in another file") {
            $0.tracks[1].media.information.dataInformation?.references?.entries[0] = .init(
                type: "url ", flags: 0, data: [0x2F])
        },
        Refusal("the movie is damaged: stsc of track 1") {
            $0.tracks[0].media.information.sampleTable.sampleToChunk.entries = []
        },
        Refusal("the movie is damaged: sample 0 of track 1") {
            $0.tracks[0].media.information.sampleTable.chunkOffsets.offsets[0] = 1 << 20
        },
        Refusal("the movie is damaged: trak lacks") { $0.others.append(OpaqueBox(type: "trak")) },
    ])
    func `what cannot be linked is told in a sentence`(_ test: Refusal) throws {
        let bytes = try Self.movie.bytes(in: Container(), folder: folder) { movie, _ in test.change(&movie) }
        let reader = try MovieReader(folder.file(bytes))
        let error = #expect(throws: MovieEditError.self) {
            try MovieEdit(linking: reader, contentIdentifier: Self.identifier, stillTime: TestMovie.ticks(80))
        }
        #expect(error?.description.hasPrefix(test.testDescription) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [1, 79, 80, 199])
    func `a still time is written exactly, also between two frames`(ticks: Int64) throws {
        let reader = try MovieReader(folder.file(Self.movie.bytes(in: Container(), folder: folder)))
        let time = TestMovie.ticks(ticks)
        let edit = try MovieEdit(linking: reader, contentIdentifier: Self.identifier, stillTime: time)
        #expect(edit.stillTime == time)
        let path = folder.path.appending("linked.mov")
        try edit.write(to: OutputFile(creating: path))
        #expect(try MovieReader(InputFile(path)).stillImageTime()?.time == time)
    }

    @Test(arguments: [-40, 200])
    func `a still time at which no frame is shown is an error`(ticks: Int64) throws {
        let reader = try MovieReader(folder.file(Self.movie.bytes(in: Container(), folder: folder)))
        let time = TestMovie.ticks(ticks)
        #expect(throws: MovieEditError.noFrame(at: time)) {
            try MovieEdit(linking: reader, contentIdentifier: Self.identifier, stillTime: time)
        }
    }

    @Test(.seeded) func `any bytes changed in a movie are an error or a movie that is read back`() throws {
        var random = SeededGenerator()
        let original = try Self.movie.bytes(in: Container(isISO: true, isMovieFirst: true), folder: folder)
        var linked = 0
        for round in 0..<200 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count - 400, using: &random)
                bytes[place] =
                    [0, 1, 0x7F, 0x80, 0xFF, bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            guard let reader = try? MovieReader(folder.file(bytes)) else { continue }
            _ = try? MovieEdit(unlinking: reader).changesInPlace()
            let times = (try? reader.tracks.first?.frameTimes().times) ?? []
            guard let time = times.first(where: { $0 >= .zero }),
                let edit = try? MovieEdit(
                    linking: reader, contentIdentifier: Self.identifier, stillTime: time)
            else { continue }
            for way in Way.allCases {
                guard let after = try? apply(edit, way) else { continue }
                #expect(after.contentIdentifier == FileText(Self.identifier.string), "round \(round)")
                linked += 1
            }
        }
        #expect(linked > 0)
    }
}
