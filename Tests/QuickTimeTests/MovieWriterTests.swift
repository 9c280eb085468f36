import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

@Suite struct MovieWriterTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `frames are presented when they were said to be, in the order they were given in`() throws {
        let movie = TestMovie()
        let reader = try MovieReader(movie.write(in: folder))
        let video = try #require(reader.tracks.first)
        let samples = Array(try video.samples())
        #expect(video.kind == .video)
        #expect(samples.map(\.presentationTime) == [0, 80, 40, 160, 120].map(TestMovie.ticks))
        #expect(samples.map(\.decodeTime) == [0, 40, 80, 120, 160].map(TestMovie.ticks))
        #expect(samples.map(\.isSync) == [true, false, false, false, false])
        #expect(samples.map(\.isShown) == [true, true, true, true, true])
        for (index, sample) in samples.enumerated() {
            let isDisposable = [2, 4].contains(index)
            let unit = TestMovie.accessUnit(isKey: index == 0, isReference: !isDisposable, seed: UInt8(index))
            #expect(try reader.bytes(of: sample) == VideoSample(.h264, annexB: unit.span).bytes)
        }
    }

    @Test func `the video track says what a camera's says`() throws {
        let reader = try MovieReader(TestMovie().write(in: folder))
        let track = reader.movie.tracks[0]
        let table = track.media.information.sampleTable
        #expect(reader.fileType == .quickTime)
        #expect(reader.boxes.map(\.type) == ["ftyp", "wide", "mdat", "moov"])
        #expect(reader.movie.header.timescale == 600 && reader.movie.header.duration == 200)
        #expect(reader.movie.header.nextTrackID == 3)
        #expect(track.header.flags == .all && track.header.duration == 200)
        #expect(track.header.size.pixelSize == PixelSize(width: 1920, height: 1080))
        #expect(
            track.aperture?.payload
                == hex(
                    """
                    00000014 'clef' 00000000 07800000 04380000
                    00000014 'prof' 00000000 07800000 04380000
                    00000014 'enof' 00000000 07800000 04380000
                    """))
        #expect(track.edit?.list?.entries == [.init(duration: 200, mediaTime: 40)])
        #expect(track.media.header.timescale == 600 && track.media.header.duration == 200)
        #expect(track.media.header.language == 0x55C4)
        #expect(track.media.information.dataHandler?.name == "Core Media Data Handler")
        #expect(
            track.media.information.mediaHeader
                == OpaqueBox(type: "vmhd", payload: hex("00000001 0040 8000 8000 8000")))
        #expect(
            table.compositionToDecode?.payload == hex("00000000 00000000 00000000 00000050 00000028 000000f0"))
        #expect(table.syncSamples?.sampleNumbers == [1])
        #expect(table.dependencies?.payload == hex("00000000 20 10 18 10 18"))
        let entry: VisualSampleEntry = try #require(try table.descriptions.firstEntry())
        #expect(entry.type == "avc1" && entry.size == PixelSize(width: 1920, height: 1080))
        let sets = TestMovie.parameterSets
        let configuration = try AVCConfigurationBox(annexB: sets.span)
        #expect(entry.configuration == configuration)
        #expect(entry.color == ColorBox(.quickTime(.bt709)))
        #expect(entry.pixelAspect == nil)
    }

    @Test func `without reordering there are no composition offsets, and without a rest no sync table`() throws {
        var movie = TestMovie()
        movie.order = [0]
        movie.stillFrame = 0
        let table = try MovieReader(movie.write(in: folder)).movie.tracks[0].media.information.sampleTable
        #expect(table.compositionOffsets == nil && table.compositionToDecode == nil)
        #expect(table.syncSamples == nil)
    }

    @Test(arguments: [0, 1, 4]) func `the still image time is that of the frame`(frame: Int64) throws {
        var movie = TestMovie()
        movie.stillFrame = frame
        let reader = try MovieReader(movie.write(in: folder))
        let still = try #require(try reader.stillImageTime())
        #expect(still.time == TestMovie.ticks(frame * 40))
        #expect(still.value == [0xFF])
        #expect(still.trackID == 2)
        #expect(reader.tracks[1].duration == TestMovie.ticks(frame * 40 + 1))
        #expect(reader.contentIdentifier == FileText(TestMovie.identifier))
    }

    @Test func `audio begins late and without its priming`() throws {
        var movie = TestMovie()
        movie.audioPackets = 12
        let reader = try MovieReader(movie.write(in: folder))
        #expect(reader.tracks.map(\.kind) == [.video, .audio, .metadata])
        #expect(reader.movie.header.nextTrackID == 4)
        let track = reader.movie.tracks[1]
        #expect(
            track.edit?.list?.entries == [.init(duration: 80, mediaTime: nil), .init(duration: 120, mediaTime: 1024)])
        #expect(track.header.duration == 200 && track.header.volume == 256)
        #expect(track.media.header.timescale == 48000 && track.media.header.duration == 12 * 1024)
        let samples = Array(try reader.tracks[1].samples())
        #expect(samples.map(\.isShown) == [false] + Array(repeating: true, count: 10) + [false])
        #expect(samples[1].presentationTime == TestMovie.ticks(80))
        #expect(try samples.map { try reader.bytes(of: $0).count } == (0..<12).map { 10 + $0 % 3 })
        let descriptions = track.media.information.sampleTable.descriptions
        let entry: AudioSampleEntry = try #require(try descriptions.firstEntry())
        #expect(entry.channels == 2 && entry.rate == 48000 && entry.compressionID == -2)
        #expect(entry.elementaryStream?.decoderSpecificInfo == [0x11, 0x90])
        // 12 packets of 10, 11 and 12 bytes are less than a second.
        #expect(entry.elementaryStream?.averageBitRate == UInt32(132 * 8 * 48000 / (12 * 1024)))
    }

    @Test func `samples that follow each other are one chunk, up to half a second`() throws {
        var movie = TestMovie()
        movie.order = Array(0..<20)
        let video = try MovieReader(movie.write(in: folder, "video")).movie.tracks[0].media.information.sampleTable
        #expect(video.sampleToChunk.entries.map(\.samplesPerChunk) == [8, 7, 5])
        movie.audioPackets = 60
        let both = try MovieReader(movie.write(in: folder, "both")).movie.tracks
        #expect(both[0].media.information.sampleTable.sampleToChunk.entries.map(\.samplesPerChunk) == [1])
        #expect(both[1].media.information.sampleTable.sampleToChunk.entries.map(\.samplesPerChunk) == [3])
    }

    @Test func `a chunk has at most a mebibyte`() throws {
        let path = folder.path.appending("large.mov")
        let writer = try MovieWriter(to: OutputFile(creating: path), video: TestMovie.videoFormat(), audio: nil)
        let unit = TestMovie.accessUnit(isKey: true, size: 400_000)
        for frame in 0..<5 {
            try writer.appendVideo(annexB: unit.span, presentationTime: TestMovie.ticks(Int64(frame) * 10))
        }
        try writer.finish(MovieTiming(duration: TestMovie.ticks(50), stillTime: .zero), metadata: [])
        let reader = try MovieReader(InputFile(path))
        let table = reader.movie.tracks[0].media.information.sampleTable
        #expect(table.sampleToChunk.entries.map(\.samplesPerChunk) == [2, 1])
        #expect(table.chunkOffsets.offsets.count == 3)
        let sample = try VideoSample(.h264, annexB: unit.span)
        for written in try reader.tracks[0].samples() {
            #expect(try reader.bytes(of: written) == sample.bytes)
        }
    }

    @Test func `equal input gives equal bytes`() throws {
        let first = try TestMovie(audioPackets: 12).write(in: folder, "first")
        let second = try TestMovie(audioPackets: 12).write(in: folder, "second")
        #expect(try first.contents(limit: 1 << 20) == second.contents(limit: 1 << 20))
    }

    @Test func `reading and writing moov gives the same bytes`() throws {
        let file = try TestMovie(audioPackets: 12).write(in: folder)
        let reader = try MovieReader(file)
        let place = try #require(reader.boxes.last)
        #expect(try file.bytes(at: place.offset, count: file.size) == bytes(of: reader.movie))
    }

    @Test func `media beyond 4 GiB takes the room of wide for a 64-bit size`() {
        #expect(MediaDataHeader.placeholder == hex("00000008 'wide' 00000008 'mdat'"))
        let short = MediaDataHeader.patch(payloadSize: 0xFFFF_FFF7)
        #expect(short.offset == 8 && short.bytes == hex("ffffffff 'mdat'"))
        let long = MediaDataHeader.patch(payloadSize: 0xFFFF_FFF8)
        #expect(long.offset == 0 && long.bytes == hex("00000001 'mdat' 0000000100000008"))
    }
}
