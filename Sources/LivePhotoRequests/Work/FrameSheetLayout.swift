public import LivePhotoKit
import MediaModel

/// Which frames of a clip a sheet shows.
public enum FrameSelection: Sendable, Hashable, Codable {
    /// As many frames, spread evenly; in long clips, they are key frames, which can be decoded alone.
    case spread(Int)
    /// A frame at the start, and one after each such time.
    case every(MediaTime)
    /// All frames of the movie that would be made with this still time.
    case around(ClipTime)
    /// The best frames, from the best on.
    case best(Int)
}

/// The kind of file that a sheet is.
public enum SheetFormat: String, OptionChoice {
    /// One JPEG.
    case jpeg = "jpg"
    /// One PNG.
    case png
    /// A page that contains the pictures, and copies the value of `--still` on a click.
    case html

    public static let kind = "a kind of sheet"

    /// - Parameter extension: of a file name, in any case; nil for another kind of file.
    package init?(extension name: String?) {
        switch name?.lowercased() {
        case "jpg", "jpeg", "jpe": self = .jpeg
        case "png": self = .png
        case "html", "htm": self = .html
        default: return nil
        }
    }
}

/// How a sheet is made.
package struct FrameSheetLayout: Sendable, Hashable, Codable {
    package var selection: FrameSelection
    /// Where the part of the clip starts that is shown; nil for the start of the clip.
    package var start: ClipTime?
    /// Where that part ends; nil for the end of the clip.
    package var end: ClipTime?
    /// The number of pictures in a row; nil for one that suits their number and shape.
    package var columns: Int?
    /// The maximum size of a picture; nil for the usual one.
    package var pictureSize: MaximumSize?
    /// Nil writes no pictures.
    package var format: SheetFormat?

    package init(
        _ selection: FrameSelection, start: ClipTime? = nil, end: ClipTime? = nil, columns: Int? = nil,
        pictureSize: MaximumSize? = nil, format: SheetFormat? = nil
    ) {
        (self.selection, self.start, self.end) = (selection, start, end)
        (self.columns, self.pictureSize, self.format) = (columns, pictureSize, format)
    }
}
