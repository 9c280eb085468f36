import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import TestSupport
import Testing

@Suite struct StillImageTimeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A movie whose second track is that of the still image time, changed.
    private func reader(_ change: (inout MovieBox) -> Void = { _ in }) throws -> MovieReader {
        try MovieReader(TestMovie.changing(TestMovie().write(in: folder), in: folder, change))
    }

    @Test func `a candidate holds what a reader of Live Photos looks at`() throws {
        let candidate = try #require(try reader().stillImageTimeCandidates().first)
        #expect(candidate.track.id == 2 && candidate.problem == nil)
        #expect(candidate.dataType == .wellKnown(.int8))
        #expect(candidate.sampleCount == 1)
        #expect(candidate.stillImageTime?.time == TestMovie.ticks(80))
        #expect(candidate.stillImageTime?.value == [0xFF])
        #expect(candidate.stillImageTime?.otherValues.isEmpty == true)
        let box = candidate.track.box
        #expect(box.header.duration == 81)
        #expect(box.edit?.list?.entries == [.init(duration: 80, mediaTime: nil), .init(duration: 1, mediaTime: 0)])
        #expect(box.references?.references == [.init(type: "cdsc", trackIDs: [1])])
    }

    @Test func `several tracks with the key are all candidates`() throws {
        let reader = try reader { movie in
            var second = movie.tracks[1]
            second.header.trackID = 3
            second.edit = nil
            second.references = nil
            movie.tracks.append(second)
        }
        let candidates = try reader.stillImageTimeCandidates()
        #expect(candidates.map(\.track.id) == [2, 3])
        #expect(candidates.map(\.stillImageTime?.time) == [TestMovie.ticks(80), .zero])
        #expect(try reader.stillImageTime()?.trackID == 2)
    }

    @Test func `a track without samples is a candidate`() throws {
        let reader = try reader { $0.tracks[1].media.information.sampleTable.sampleSizes.sizes = .each([]) }
        let candidate = try #require(try reader.stillImageTimeCandidates().first)
        #expect(candidate.sampleCount == 0 && candidate.stillImageTime == nil && candidate.problem == nil)
        #expect(try reader.stillImageTime() == nil)
    }

    @Test func `a damaged track is told with its problem, and is an error where one time is wanted`() throws {
        let reader = try reader { $0.tracks[1].media.information.sampleTable.chunkOffsets.offsets = [] }
        let candidate = try #require(try reader.stillImageTimeCandidates().first)
        #expect(candidate.problem?.code == .missing && candidate.dataType == .wellKnown(.int8))
        #expect(throws: ParseError.self) { try reader.stillImageTime() }
    }

    /// The sample of a device, whose other values are of 80 and 16 bytes.
    @Test func `other keys of the sample are decoded`() throws {
        let identity = String(
            repeating: "3ff0000000000000 0000000000000000 0000000000000000 0000000000000000", count: 2)
        let sample = hex(
            "00000009 00000001 ff 00000050 00000002 \(identity) 3ff0000000000000 00000010 00000003 44f0000044b40000"
                + "0000000e 00000004 03000000 0102")
        let entry = box(
            "stsd",
            hex("00000000 00000001")
                + box(
                    "mebx",
                    hex(
                        """
                        000000000000 0001 0000010f 'keys'
                          00000048 00000001 00000030 'keyd' 'mdta' 'com.apple.quicktime.still-image-time'
                            00000010 'dtyp' 00000000 00000041
                          0000003c 00000002 00000024 'keyd' 'mdta' 'live-photo-still-image-t'
                            00000010 'dtyp' 00000000 00000053
                          0000003c 00000003 00000024 'keyd' 'mdta' 'live-photo-still-image-d'
                            00000010 'dtyp' 00000000 00000047
                          00000047 00000004 0000002f 'keyd' 'mdta' 'com.apple.quicktime.live-photo-info'
                            00000010 'dtyp' 00000001 'info'
                        """)))
        let description = try readBox(SampleDescriptionBox.self, entry)
        let file = try TestMovie().write(in: folder)
        let whole = try TestMovie.changing(file, in: folder) {
            $0.tracks[1].media.information.sampleTable.descriptions = description
            $0.tracks[1].media.information.sampleTable.sampleSizes.sizes = .each([UInt32(sample.count)])
            $0.tracks[1].media.information.sampleTable.chunkOffsets.offsets = [UInt64(file.size) + 1000]
        }
        var bytes = try whole.contents(limit: 1 << 20)
        bytes += [UInt8](repeating: 0, count: file.size + 1000 - bytes.count) + sample
        let reader = try MovieReader(folder.file(bytes))
        #expect(try reader.tracks[1].metadataKeys().map(\.localID) == [1, 2, 3, 4])
        let values = try #require(try reader.stillImageTime()).otherValues
        #expect(values.map(\.localID) == [2, 3, 4])
        #expect(
            values.map(\.content) == [
                .numbers([1, 0, 0, 0, 1, 0, 0, 0, 1]), .numbers([1920, 1440]),
                .otherLivePhotoInfo(version: 3, byteCount: 6),
            ])
    }
}
