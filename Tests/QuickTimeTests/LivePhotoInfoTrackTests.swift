import Bytes
import Foundation
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// Live-photo-info tracks that are written.
@Suite struct LivePhotoInfoTrackTests {
    private static func reader(of movie: [UInt8], in folder: TemporaryFolder) throws -> MovieReader {
        let path = folder.path.appending("movie.MOV")
        try Data(movie).write(to: URL(fileURLWithPath: path.string))
        return try MovieReader(InputFile(path))
    }

    @Test func `a track has a record at the time of each frame, and follows that of the still time`() throws {
        var pair = try SamplePair()
        try pair.makeWallpaper()
        let reader = try Self.reader(of: pair.movie, in: TemporaryFolder())
        let track = try #require(reader.livePhotoInfoTrack)
        #expect(reader.tracks.firstIndex { $0.id == track.id } == 2)
        #expect(try reader.tracks[1].metadataKeys().map(\.key) == [.stillImageTime])
        #expect(track.box.references?.references.map(\.type) == ["cdsc", "cdep"])
        #expect(track.box.references?.references.map(\.trackIDs) == [[1], [1]])
        let found = try #require(try reader.livePhotoInfo(of: track))
        #expect(found.setup?.dimensions == SamplePair.size)
        #expect(try found.records.map(\.time) == reader.tracks[0].frameTimes().times)
        #expect(found.records.compactMap(\.info) == (0..<SamplePair.frameCount).map(SamplePair.record))
        #expect(try reader.livePhotoInfo(of: reader.tracks[1]) == nil)
    }

    @Test func `the setup is that of devices, without the versions of their software`() throws {
        let setup = LivePhotoInfoSetup(dimensions: PixelSize(width: 1920, height: 1440))
        #expect(
            setup.box
                == OpaqueBox(
                    type: "setu",
                    payload: hex(
                        """
                        0000005c 'cfgv'  ; a binary property list
                          'bplist00'
                          d1 01 02  ; a dictionary of 1: key and value by number
                          5f1021 'LivePhotoMetadataSetupDataVersion'
                          10 01  ; 1
                          080b2f  ; where each object begins
                          0000000000000101 0000000000000003 0000000000000000 0000000000000031
                        00000010 'dims'
                          00000780 000005a0
                        """)))
        let list = try #require(setup.configuration)
        let values = try PropertyListSerialization.propertyList(from: Data(list), format: nil)
        #expect(values as? [String: Int] == ["LivePhotoMetadataSetupDataVersion": 1])
    }

    @Test func `metadata with another live-photo-info track gets the new one in its place`() throws {
        var pair = try SamplePair()
        try pair.makeWallpaper()
        let reader = try Self.reader(of: pair.movie, in: TemporaryFolder())
        var metadata = try MovieTimedMetadata(reader, from: .zero, to: MediaTime(value: 1, timescale: 1))
        #expect(metadata.hasLivePhotoInfo)
        metadata.setLivePhotoInfo(
            [(.zero, SamplePair.record(of: 5))], duration: MediaTime(value: 1, timescale: 1),
            dimensions: SamplePair.size)
        #expect(metadata.hasLivePhotoInfo)
        #expect(!MovieTimedMetadata().hasLivePhotoInfo)
    }

    @Test func `records that are damaged or of another version are known to be there`() throws {
        let reader = try Self.reader(of: DevicePair.movie, in: TemporaryFolder())
        let track = try #require(reader.livePhotoInfoTrack)
        let found = try #require(try reader.livePhotoInfo(of: track))
        #expect(found.records.count == 42 && found.records.allSatisfy { $0.info == nil })
        #expect(found.setup?.dimensions == PixelSize(width: 1920, height: 1440))
    }
}
