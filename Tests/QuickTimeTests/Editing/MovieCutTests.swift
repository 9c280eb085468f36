import Bytes
import Foundation
import ISOBMFF
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// Movies that are cut without touching a sample.
@Suite struct MovieCutTests {
    private let folder: TemporaryFolder
    private static let identifier = ContentIdentifier()

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The order of frames, and what is wrong or odd with the tables.
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// In decode order: the place in the order of presentation.
        var order: [Int]
        /// Indices in decode order of IDR pictures.
        var keys: Set<Int>
        /// Without `stss`, every sample counts as a sync sample.
        var hasSyncSamples = true
        /// Is added to all composition offsets, and to the media time of the edit list.
        var shift: Int32 = 0
        var soundDelay: Int64 = 0
        var movieTimescale: UInt32 = 600

        static let all = [
            Shape(testDescription: "no reordering", order: Array(0..<20), keys: [0, 5, 10, 15]),
            Shape(
                testDescription: "B-frames", order: [0, 3, 1, 2, 6, 4, 5, 7, 10, 8, 9, 13, 11, 12, 14, 15],
                keys: [0, 7]),
            Shape(
                testDescription: "open GOP: pictures after a key frame are shown before it",
                order: [0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 12, 10, 11, 15, 13, 14], keys: [0, 4, 10]),
            Shape(
                testDescription: "every sample is marked as a sync sample",
                order: [0, 3, 1, 2, 6, 4, 5, 7, 10, 8, 9, 13, 11, 12], keys: [0, 7],
                hasSyncSamples: false),
            Shape(
                testDescription: "negative composition offsets",
                order: [0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 12, 10, 11], keys: [0, 4], shift: -120),
            Shape(
                testDescription: "sound that begins late, and coarse ticks", order: Array(0..<20), keys: [0, 5, 10],
                soundDelay: 130, movieTimescale: 25),
        ]
    }

    private func movie(_ shape: Shape) throws -> MovieReader {
        let path = folder.unusedPath
        let sound = 70
        let writer = try MovieWriter(
            to: OutputFile(creating: path), video: TestMovie.videoFormat(), audio: TestMovie.audioFormat)
        for (index, place) in shape.order.enumerated() {
            let unit = TestMovie.accessUnit(
                isKey: shape.keys.contains(index), size: 20 + index, seed: UInt8(truncatingIfNeeded: index))
            try writer.appendVideo(annexB: unit.span, presentationTime: TestMovie.ticks(Int64(place) * 40))
        }
        for number in 0..<sound { try writer.appendAudio([UInt8](repeating: UInt8(number), count: 10 + number % 3)) }
        let duration = Int64(shape.order.count) * 40
        try writer.finish(
            MovieTiming(
                duration: TestMovie.ticks(duration), stillTime: TestMovie.ticks(0),
                audio: AudioEdit(
                    delay: TestMovie.ticks(shape.soundDelay), firstSample: 1024,
                    duration: TestMovie.ticks(duration - shape.soundDelay))),
            metadata: [])
        return try MovieReader(
            TestMovie.changing(InputFile(path), in: folder) { movie in
                var table = movie.tracks[0].media.information.sampleTable
                if !shape.hasSyncSamples { table.syncSamples = nil }
                if shape.shift != 0, var offsets = table.compositionOffsets {
                    for index in offsets.entries.indices { offsets.entries[index].offset += shape.shift }
                    table.compositionOffsets = offsets
                    let start = movie.tracks[0].edit?.list?.entries[0].mediaTime ?? 0
                    // The first frame is shown from the time at which it is decoded, or before.
                    movie.tracks[0].edit?.list?.entries[0].mediaTime = max(0, start + Int64(shape.shift))
                }
                movie.tracks[0].media.information.sampleTable = table
                guard shape.movieTimescale != 600 else { return }
                let scale = { (ticks: UInt64) in (ticks * UInt64(shape.movieTimescale) + 300) / 600 }
                movie.header.timescale = shape.movieTimescale
                movie.header.duration = movie.header.duration.map(scale)
                for index in movie.tracks.indices {
                    movie.tracks[index].header.duration = movie.tracks[index].header.duration.map(scale)
                    for entry in (movie.tracks[index].edit?.list?.entries ?? []).indices {
                        let old = movie.tracks[index].edit?.list?.entries[entry].duration ?? 0
                        movie.tracks[index].edit?.list?.entries[entry].duration = scale(old)
                    }
                }
            })
    }

    private struct Shown: Hashable {
        let bytes: [UInt8]
        let time: MediaTime
    }

    /// The samples of a track that are shown, with their times less `start`.
    private func shown(_ kind: Track.Kind, of reader: MovieReader, from start: MediaTime = .zero) throws -> [Shown] {
        let track = try #require(reader.tracks.first { $0.kind == kind })
        return try track.samples().filter(\.isShown).map {
            Shown(bytes: try reader.bytes(of: $0), time: $0.presentationTime - start)
        }
    }

    private func write(_ cut: MovieReader, inPlace: Bool) throws -> MovieReader {
        let edit = try MovieEdit(
            linking: cut, contentIdentifier: Self.identifier,
            stillTime: cut.tracks[0].frameTimes().times.first { $0 >= .zero } ?? .zero)
        let path = folder.unusedPath
        if inPlace {
            try FileManager.default.copyItem(atPath: edit.reader.file.path.string, toPath: path.string)
            try FileChange.apply(edit.changesInPlace(), to: path)
        } else {
            try edit.write(to: OutputFile(creating: path))
        }
        return try MovieReader(InputFile(path))
    }

    @Test(arguments: Shape.all, [false, true])
    func `a cut shows the same frames and sound at the same times, and begins with a key frame`(
        _ shape: Shape, inPlace: Bool
    ) throws {
        let before = try movie(shape)
        let (video, sound) = (try shown(.video, of: before), try shown(.audio, of: before))
        let times = video.map(\.time).sorted()
        let samples = try before.tracks[0].samples().map { try before.bytes(of: $0) }
        let keys = shape.keys.map { samples[$0] }
        for (number, start) in ([nil] + times).enumerated() {
            let ends = [nil] + times.filter { $0 > start ?? .zero }
            // Every third pair of times takes long enough.
            for end in ends.enumerated().filter({ ($0.offset + number) % 3 == 0 }).map(\.element) {
                let cut = try MovieCut(before, from: start, to: end)
                if let start { #expect(cut.start <= start) }
                let after = try write(cut.apply(), inPlace: inPlace)
                let limit = end ?? MediaTime(value: .max / 2, timescale: 600)
                let expected = video.filter { $0.time >= cut.start && $0.time < limit }
                let frames = try shown(.video, of: after, from: .zero - cut.start).filter { $0.time >= cut.start }
                #expect(frames == expected, "\(start?.value ?? -1) \(end?.value ?? -1)")
                let kept = try after.tracks[0].samples().map { $0 }
                #expect(kept[0].isSync && kept.allSatisfy { $0.decodeTime >= .zero })
                let first = try after.bytes(of: kept[0])
                #expect(cut.start == .zero || keys.contains(first), "\(start?.value ?? -1)")
                if cut.start > .zero { #expect(kept[0].presentationTime == .zero) }
                try expectSound(sound, in: after, cut, limit)
                let duration = try #require(after.tracks[0].timeline().duration)
                let oldEnd = try end ?? before.tracks[0].timeline().duration ?? .zero
                #expect(abs(duration.seconds - (oldEnd - cut.start).seconds) < 0.002)
                if !inPlace { #expect(try mediaSize(of: after) == sampleBytes(of: after)) }
            }
        }
    }

    /// Every packet that is heard in the part is there, in sync with the video.
    private func expectSound(_ before: [Shown], in reader: MovieReader, _ cut: MovieCut, _ end: MediaTime) throws {
        let packet = MediaTime(value: 1024, timescale: 48000)
        let audible = before.filter { $0.time + packet > cut.start && $0.time < end }
        guard reader.tracks.contains(where: { $0.kind == .audio }) else { return #expect(audible.count <= 1) }
        let after = try shown(.audio, of: reader)
        let times = Dictionary(after.map { ($0.bytes, $0.time.seconds) }) { $1 }
        for sample in audible.dropFirst().dropLast() {
            let time = try #require(times[sample.bytes])
            #expect(abs(time + cut.start.seconds - sample.time.seconds) < 0.002)
        }
        for sample in after {
            let old = try #require(before.first { $0.bytes == sample.bytes })
            #expect(abs(sample.time.seconds + cut.start.seconds - old.time.seconds) < 0.002)
        }
        // What is heard begins and ends with the part.
        let timeline = try #require(try reader.tracks.first { $0.kind == .audio }?.timeline())
        let heardFrom = max(before.first?.time ?? .zero, cut.start)
        if heardFrom == cut.start { #expect(timeline.delay == .zero) }
        if let duration = timeline.duration {
            #expect((timeline.delay + duration).seconds <= (end - cut.start).seconds + 0.002)
        }
    }

    private func mediaSize(of reader: MovieReader) throws -> Int {
        reader.boxes.filter { $0.type == "mdat" }.reduce(0) { $0 + $1.payloadSize }
    }

    private func sampleBytes(of reader: MovieReader) throws -> Int {
        try reader.tracks.reduce(0) { sum, track in try track.samples().reduce(sum) { $0 + $1.size } }
    }

    @Test(arguments: [false, true]) func `a movie without its sound has the same video, and no reference to the sound`(
        inPlace: Bool
    ) throws {
        let before = try movie(Shape.all[1])
        let silent = try before.withoutSound()
        let after = try write(silent, inPlace: inPlace)
        #expect(after.tracks.map(\.kind) == [.video, .metadata])
        #expect(try shown(.video, of: after) == shown(.video, of: before))
        if !inPlace { #expect(try mediaSize(of: after) == sampleBytes(of: after)) }
        #expect(after.movie.header.duration == after.tracks[0].box.header.duration)
    }

    @Test func `tables for each sample are cut with the samples, and unknown ones are removed`() throws {
        let shape = Shape.all[0]
        let before = try movie(shape)
        let count = UInt8(shape.order.count)
        let groups = hex("00000000 'roll' 00000002 0000000c 00000001") + [0, 0, 0, count - 12] + hex("00000000")
        let changed = try MovieReader(
            TestMovie.changing(before.file, in: folder) { movie in
                var table = movie.tracks[0].media.information.sampleTable
                table.dependencies = OpaqueBox(type: "sdtp", payload: [0, 0, 0, 0] + (0..<count))
                table.compositionToDecode = OpaqueBox(type: "cslg", payload: Array(repeating: 0, count: 24))
                table.others = [
                    OpaqueBox(type: "sbgp", payload: groups), OpaqueBox(type: "sgpd", payload: hex("01000000 'roll'")),
                    OpaqueBox(type: "subs", payload: hex("00000000 00000000")),
                    OpaqueBox(type: "stps", payload: hex("00000000 00000002 00000003 00000008")),
                ]
                movie.tracks[0].media.information.sampleTable = table
            })
        let cut = try MovieCut(changed, from: TestMovie.ticks(200), to: TestMovie.ticks(640)).apply()
        let table = cut.tracks[0].box.media.information.sampleTable
        #expect(table.dependencies?.payload == [0, 0, 0, 0] + (5..<16))
        #expect(table.others.map(\.type) == ["sbgp", "sgpd", "stps"])
        #expect(
            table.others[0].payload
                == hex("00000000 'roll' 00000002 00000007 00000001 00000004 00000000"))
        #expect(table.others[2].payload == hex("00000000 00000001 00000003"))
        #expect(table.syncSamples?.sampleNumbers == [1, 6, 11])
        #expect(table.compositionToDecode?.payload == hex("00000000 00000000 00000000 00000000 00000000 000001b8"))
    }

    /// What cannot be cut.
    enum Obstacle: CaseIterable {
        case severalEdits, otherSpeed, trailingEmptyEdit, sameNumber, external, fragments, oldSound
    }

    @Test(arguments: Obstacle.allCases) func `what cannot be cut is an error`(_ obstacle: Obstacle) throws {
        let before = try movie(Shape.all[0])
        let file = try TestMovie.changing(before.file, in: folder) { movie in
            let edit = EditListBox.Entry(duration: 100, mediaTime: 40)
            switch obstacle {
            case .severalEdits: movie.tracks[0].edit = EditBox(EditListBox(entries: [edit, edit]))
            case .otherSpeed:
                movie.tracks[1].edit = EditBox(
                    EditListBox(entries: [.init(duration: 100, mediaTime: 0, rate: 1 << 15)]))
            case .trailingEmptyEdit:
                movie.tracks[0].edit = EditBox(EditListBox(entries: [edit, .init(duration: 5, mediaTime: nil)]))
            case .sameNumber: movie.tracks[1].header.trackID = movie.tracks[0].header.trackID
            case .external:
                let elsewhere = DataReferenceBox.Entry(type: "url ", flags: 0, data: Array("file:///a\0".utf8))
                movie.tracks[1].media.information.dataInformation?.references?.entries = [elsewhere]
            case .fragments: movie.others.append(OpaqueBox(type: "mvex"))
            case .oldSound:
                var table = movie.tracks[1].media.information.sampleTable
                table.sampleSizes.sizes = .uniform(size: 1, count: 70)
                table.timeToSample.entries[0].duration = 1
                movie.tracks[1].media.information.sampleTable = table
            }
        }
        #expect(throws: MovieEditError.self) {
            try MovieCut(MovieReader(file), from: TestMovie.ticks(200), to: nil).apply()
        }
        if obstacle == .sameNumber { #expect(throws: MovieEditError.self) { try MovieReader(file).withoutSound() } }
    }

    @Test func `uncompressed sound is cut to the sample, and tables that claim billions are not expanded`() throws {
        let before = try movie(Shape.all[0])
        let file = try TestMovie.changing(before.file, in: folder) { movie in
            var table = movie.tracks[1].media.information.sampleTable
            table.descriptions.entries = [
                OpaqueBox(
                    type: "sowt",
                    payload: hex("000000000000 0001 0000 0000 00000000 0001 0008 0000 0000 bb800000"))
            ]
            table.sampleSizes.sizes = .uniform(size: 1, count: 2000)
            (table.timeToSample.entries[0].count, table.timeToSample.entries[0].duration) = (.max, 1)
            table.sampleToChunk.entries.removeLast(table.sampleToChunk.entries.count - 1)
            table.sampleToChunk.entries[0].samplesPerChunk = .max
            table.chunkOffsets.offsets = [50]
            movie.tracks[1].media.information.sampleTable = table
            movie.tracks[1].edit = nil
        }
        let cut = try MovieCut(MovieReader(file), from: TestMovie.ticks(200), to: TestMovie.ticks(400))
        // The sound ends before the part begins.
        #expect(try cut.apply().tracks.map(\.kind) == [.video, .metadata])
        let begin = try MovieCut(MovieReader(file), from: nil, to: TestMovie.ticks(1)).apply()
        let sound = try #require(begin.tracks.first { $0.kind == .audio })
        #expect(try sound.samples().count == 80 && sound.samples().first { _ in true }?.offset == 50)
    }
}
