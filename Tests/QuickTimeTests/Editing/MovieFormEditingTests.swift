import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import TestSupport
import Testing

/// What linking changes in metadata and sample descriptions.
@Suite struct MovieFormEditingTests {
    private let folder: TemporaryFolder
    private static let identifier = ContentIdentifier()
    private static let make = MetadataItem(key: MetadataKey("com.apple.quicktime.make"), value: .text("Maker"))
    private static let still = MetadataItem(key: .stillImageTime, value: .text("0"))
    private static let old = MetadataItem(key: .contentIdentifier, value: .text("old"))

    init() throws {
        folder = try TemporaryFolder()
    }

    private func linked(
        _ change: @escaping (inout MovieBox) throws -> Void
    ) throws -> MovieReader {
        let bytes = try TestMovie().bytes(in: Container(), folder: folder) { movie, _ in try change(&movie) }
        let path = try folder.file(bytes).path
        let edit = try MovieEdit(
            linking: MovieReader(InputFile(path)), contentIdentifier: Self.identifier, stillTime: TestMovie.ticks(40))
        try FileChange.apply(edit.changesInPlace(), to: path)
        return try MovieReader(InputFile(path))
    }

    private func unlinked(_ reader: MovieReader) throws -> MovieReader {
        try FileChange.apply(MovieEdit(unlinking: reader).changesInPlace(), to: reader.file.path)
        return try MovieReader(InputFile(reader.file.path))
    }

    @Test(arguments: [[], [old], [make], [make, old], [old, make], [old, make, old]])
    func `the identifier is set and taken away, and other keys stay`(items: [MetadataItem]) throws {
        for form in [MetadataBox.Form.quickTime, .iso] {
            let reader = try linked { movie in
                var metadata = MetadataBox(items: items)
                metadata.form = form
                metadata.others = [OpaqueBox(type: "ctry", payload: [1, 2, 3])]
                movie.metadata = metadata
            }
            #expect(reader.contentIdentifier == FileText(Self.identifier.string))
            #expect(reader.metadata.filter { $0.key == .contentIdentifier }.count == 1)
            #expect(
                reader.metadata.filter { $0.key != .contentIdentifier } == items.filter { $0.key != .contentIdentifier }
            )
            #expect(reader.movie.metadata?.form == .quickTime)
            let plain = try unlinked(reader)
            #expect(plain.metadata == items.filter { $0.key != .contentIdentifier })
            #expect(plain.movie.metadata?.keys?.keys == plain.metadata.map(\.key))
            #expect(plain.movie.metadata?.others == [OpaqueBox(type: "ctry", payload: [1, 2, 3])])
        }
    }

    @Test(arguments: [[still], [make, still], [still, old, make]])
    func `unlinking also removes a still image time that some programs write among the keys`(
        items: [MetadataItem]
    ) throws {
        let bytes = try TestMovie().bytes(in: Container(), folder: folder) { movie, _ in
            movie.metadata = MetadataBox(items: items)
        }
        let plain = try unlinked(MovieReader(folder.file(bytes)))
        #expect(plain.metadata == items.filter { $0.key == Self.make.key })
        #expect((plain.movie.metadata == nil) == plain.metadata.isEmpty)
    }

    @Test func `a meta of another handler stays behind that of the identifier`() throws {
        var other = MetadataBox(items: [])
        other.handler?.subtype = "mdir"
        other.keys = nil
        let reader = try linked { $0.metadata = other }
        #expect(reader.contentIdentifier == FileText(Self.identifier.string))
        #expect(reader.movie.others == [OpaqueBox(type: "meta", payload: Array(bytes(of: other).dropFirst(8)))])
        let plain = try unlinked(reader)
        #expect(plain.movie.metadata == other && plain.movie.others.isEmpty)
    }

    @Test func `children behind an empty meta are put into it`() throws {
        let metadata = MetadataBox(items: [Self.make])
        let reader = try linked { movie in
            movie.metadata = nil
            var children = ByteReader(bytes(of: metadata), structure: "test")
            try children.skip(8)
            movie.others = [OpaqueBox(type: "meta")]
            while let child = try children.nextBox() { movie.others.append(OpaqueBox(child)) }
        }
        #expect(reader.metadata.first == Self.make && reader.metadata.count == 2)
        #expect(reader.movie.others.isEmpty)
    }

    /// `hvcC` with arrays of parameter sets of these types.
    private static func hevcConfiguration(_ types: [UInt8], isComplete: Bool) -> [UInt8] {
        var payload = hex("01 01 60000000 b00000000000 78 f000 fc fd f8 f8 0000 0f")
        payload.append(UInt8(types.count))
        for type in types { payload += [isComplete ? type | 0x80 : type, 0, 1, 0, 3, type << 1, 1, 9] }
        return payload
    }

    @Test(arguments: [[32, 33, 34], [], [33]] as [[UInt8]])
    func `hev1 becomes hvc1 with the parameter sets of the first key frame`(types: [UInt8]) throws {
        let units = hex("00000003 400109 00000003 420109 00000003 440109 00000002 2601")
        let media = try TestMovie().bytes(in: Container(), folder: folder, appended: units) { movie, offset in
            var table = movie.tracks[0].media.information.sampleTable
            var entry = try #require(try table.descriptions.firstEntry(as: VisualSampleEntry.self))
            entry.type = "hev1"
            entry.configuration = nil
            entry.others = [OpaqueBox(type: "hvcC", payload: Self.hevcConfiguration(types, isComplete: false))]
            table.descriptions = SampleDescriptionBox(entry)
            table.sampleSizes.sizes = .each([UInt32(units.count), 1, 1, 1, 1])
            table.sampleToChunk.entries.removeLast(table.sampleToChunk.entries.count - 1)
            table.sampleToChunk.entries[0].samplesPerChunk = 1
            table.chunkOffsets.offsets = [offset, offset, offset, offset, offset]
            movie.tracks[0].media.information.sampleTable = table
        }
        let path = try folder.file(media).path
        let edit = try MovieEdit(
            linking: MovieReader(InputFile(path)), contentIdentifier: Self.identifier, stillTime: TestMovie.ticks(40))
        try FileChange.apply(edit.changesInPlace(), to: path)
        let track = try #require(try MovieReader(InputFile(path)).tracks.first)
        let entry = try #require(
            try track.box.media.information.sampleTable.descriptions.firstEntry(as: VisualSampleEntry.self))
        #expect(entry.type == "hvc1")
        #expect(entry.others.first?.payload == Self.hevcConfiguration([32, 33, 34], isComplete: true))
    }

    @Test(arguments: [true, false])
    func `avc3 becomes avc1 where the parameter sets are known`(isInStream: Bool) throws {
        let sets = TestMovie.parameterSets
        let configuration = try AVCConfigurationBox(annexB: sets.span)
        var units = ByteWriter()
        for set in isInStream ? configuration.sequenceParameterSets + configuration.pictureParameterSets : [] {
            units.integer(UInt32(set.count))
            units.append(set)
        }
        units.append([0, 0, 0, 2, 0x65, 0x88])
        let sample = units.bytes
        let media = try TestMovie().bytes(in: Container(), folder: folder, appended: sample) { movie, offset in
            var table = movie.tracks[0].media.information.sampleTable
            var entry = try #require(try table.descriptions.firstEntry(as: VisualSampleEntry.self))
            entry.type = "avc3"
            entry.configuration?.sequenceParameterSets = []
            entry.configuration?.pictureParameterSets = []
            table.descriptions = SampleDescriptionBox(entry)
            table.sampleSizes.sizes = .each([UInt32(sample.count), 1, 1, 1, 1])
            table.sampleToChunk.entries.removeLast(table.sampleToChunk.entries.count - 1)
            table.sampleToChunk.entries[0].samplesPerChunk = 1
            table.chunkOffsets.offsets = Array(repeating: offset, count: 5)
            movie.tracks[0].media.information.sampleTable = table
        }
        let path = try folder.file(media).path
        let reader = try MovieReader(InputFile(path))
        let link = {
            try MovieEdit(linking: reader, contentIdentifier: Self.identifier, stillTime: TestMovie.ticks(40))
        }
        guard isInStream else {
            #expect(throws: MovieEditError.noParameterSets(trackID: 1)) { try link() }
            return
        }
        try FileChange.apply(link().changesInPlace(), to: path)
        let track = try #require(try MovieReader(InputFile(path)).tracks.first)
        let entry = try #require(
            try track.box.media.information.sampleTable.descriptions.firstEntry(as: VisualSampleEntry.self))
        #expect(entry.type == "avc1" && entry.configuration == configuration)
    }
}
