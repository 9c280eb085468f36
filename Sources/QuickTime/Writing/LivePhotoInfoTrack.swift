import Bytes
import ISOBMFF
package import MediaModel

extension MovieTimedMetadata {
    /// The one key of a live-photo-info track.
    private static let localID: UInt32 = 1
    /// The doubled name is Apple's.
    private static let dataType: FileText = "com.apple.quicktime.com.apple.quicktime.live-photo-info"

    /// Adds a live-photo-info track in the form that devices write, in place of another one.
    ///
    /// - Parameters:
    ///   - records: one for each frame, in the order of their times; not empty.
    ///   - duration: the movie's.
    ///   - dimensions: the size of the frames.
    package mutating func setLivePhotoInfo(
        _ records: [(time: MediaTime, info: LivePhotoInfo)], duration: MediaTime, dimensions: PixelSize
    ) {
        let key = TimedMetadataSampleEntry.Key(
            localID: Self.localID, key: .livePhotoInfo, dataType: .named(space: 1, Self.dataType),
            others: [
                LivePhotoInfoSetup(dimensions: dimensions).box,
                OpaqueBox("ctps") { box in
                    // A data type without a name space and value.
                    box.box("dtyp") { $0.zeros(8) }
                },
            ])
        var description = ByteWriter()
        TimedMetadataSampleEntry(keys: [key]).write(to: &description)
        let ends = records.dropFirst().map(\.time) + [duration]
        let samples = zip(records, ends).map { record, end in
            Track.Sample(
                time: record.time, duration: end - record.time,
                bytes: OpaqueBox(type: FourCC(rawValue: Self.localID), payload: record.info.bytes).bytes)
        }
        tracks.removeAll(where: \.isLivePhotoInfo)
        tracks.append(
            Track(
                description: description.bytes, references: ["cdsc", "cdep"], samples: samples, isLivePhotoInfo: true))
    }

    /// Whether there is a live-photo-info track.
    package var hasLivePhotoInfo: Bool { tracks.contains(where: \.isLivePhotoInfo) }
}
