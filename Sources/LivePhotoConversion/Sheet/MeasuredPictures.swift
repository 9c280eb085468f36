import FFmpegKit
import LivePhotoRequests
import MediaModel

/// Pictures for a sheet of the frames that are decoded to measure them, so that they are not decoded again.
final class MeasuredPictures {
    private let video: VideoParameters
    private var pictures: [MediaTime: [[UInt8]]] = [:]
    /// Nil without pictures on the sheet.
    private let converter: PictureConverter?
    private let isUseful: Bool
    private var bytes = 0

    /// Of all pictures.
    private static let mostBytes = 64 << 20

    init(_ reader: ClipReader, _ layout: FrameSheetLayout, _ settings: Preset) throws {
        video = reader.picture
        guard layout.format != nil else {
            (converter, isUseful) = (nil, true)
            return
        }
        let geometry = try PictureGeometry(video, maximum: layout.pictureSize ?? MaximumSize(SheetWork.usualSize))
        let filters = PictureFilters(
            video, geometry, to: .photo(geometry.movie), toneMapping: settings.picture.toneMapping,
            background: settings.picture.background)
        converter = PictureConverter(filters, threads: 1)
        isUseful = geometry.isMuchSmaller
    }

    /// - Parameter frame: may have the edges of its blocks.
    func add(_ frame: Frame, at time: MediaTime) throws {
        guard isUseful, bytes < Self.mostBytes else { return }
        let picture = try converter?.convert(frame).colorPlanes() ?? []
        bytes += picture.reduce(0) { $0 + $1.count }
        pictures[time] = picture
    }

    /// - Parameter video: the pictures that the sheet shows.
    func picture(at time: MediaTime, _ video: VideoParameters) -> [[UInt8]]? {
        video == self.video || converter == nil ? pictures[time] : nil
    }
}

extension PictureGeometry {
    /// Whether pictures are scaled down so much that the edges of blocks are hardly visible.
    var isMuchSmaller: Bool { movie.size.longEdge * 3 <= photo.size.longEdge }
}
