import Bytes
import FFmpegKit
import LivePhotoRequests
import StillImage

/// An opened photo, and how it is changed.
struct AdjustedPhoto: Sendable {
    private let photo: InputFile
    private let adjustments: Adjustments
    private let colorTable: InputFile?

    /// - Throws: `LivePhotoError` if a file cannot be opened.
    init(_ photo: FilePath, _ adjustments: Adjustments) throws(LivePhotoError) {
        self.photo = try PhotoFile.open(photo)
        self.adjustments = adjustments
        colorTable = if let table = adjustments.colorTable { try ConversionFiles.openTable(table.path) } else { nil }
    }

    /// An upright JPEG of the photo that is scaled down and then adjusted.
    ///
    /// - Parameters:
    ///   - edge: the longest edge in pixels, from 16 to 8192; smaller photos keep their size.
    ///   - quality: from 1 to 100, as `PhotoQuality`.
    /// - Throws: `LivePhotoError`.
    func thumbnail(edge: Int, quality: Int) throws(LivePhotoError) -> Thumbnail {
        do {
            let maximum = try MaximumSize("\(edge)x\(edge)")
            let still = try StillDecoder.decodeUpright(PhotoFile(photo))
            let size = try PictureGeometry(still.video.turned(by: adjustments), maximum: maximum).movie.size
            try adjustments.filter?.check(for: size, photo.path)
            let edit = PictureEdit(
                adjustments: adjustments,
                colorTable: try colorTable.map { file throws(LivePhotoError) in try CubeFile.table(in: file) })
            let picture = try StillEncoder.prepare(still, maximum: maximum, edit: edit)
            return Thumbnail(jpeg: try StillEncoder.jpeg(picture, quality: quality), size: size)
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(error, of: photo.path, work: "adjust it", otherwise: "cannot be adjusted: \(error)")
        }
    }
}
