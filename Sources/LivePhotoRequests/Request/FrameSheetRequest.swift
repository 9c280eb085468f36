public import LivePhotoKit
import SystemPackage

/// Pictures of a clip from which the still can be chosen, and where they are written. Everything but the clip has a sensible
/// default.
public struct FrameSheetRequest: Sendable, Hashable {
    /// The clip: a local file that FFmpeg can read.
    public var clip: FilePath
    /// The sheet to write; its extension is that of a `SheetFormat`. Nil writes none.
    public var output: FilePath?
    /// Which frames are shown.
    public var selection = FrameSelection.spread(24)
    /// Where the part of the clip starts that is shown and searched for the best still; nil for the start of the clip.
    public var start: ClipTime?
    /// Where that part ends; nil for the end of the clip.
    public var end: ClipTime?
    /// The number of pictures in a row, from 1 to 100; nil for one that suits their number and shape.
    public var columns: Int?
    /// The maximum size of a picture; nil for 320 by 320 pixels.
    public var pictureSize: MaximumSize?
    /// Whether an existing file is replaced.
    public var replacesExisting = false
    /// Number of threads for decoding; nil is one for each core.
    public var threads: Int?
    /// The times as they were written, by the names of the options.
    package var requestedTimes: [String: String] = [:]
    /// The conversion for which the best stills are looked for, with a clip, threads and times of its own; nil for an ordinary
    /// one of `clip`.
    package var conversion: ClipWork?

    /// A sheet of 24 pictures.
    ///
    /// - Parameters:
    ///   - clip: the clip.
    ///   - output: the sheet to write; nil for none.
    public init(clip: FilePath, output: FilePath? = nil) {
        (self.clip, self.output) = (clip, output)
    }

    /// The most pictures of a sheet.
    public static let mostPictures = FrameSheet.mostPictures
}

extension FrameSheetRequest {
    /// The clip with the settings of the conversion.
    func clipWork() -> ClipWork {
        if let conversion { return conversion }
        var work = ClipWork(clip, .classic, to: output?.folder ?? ".")
        (work.threads, work.requestedTimes) = (threads, requestedTimes)
        return work
    }

    var layout: FrameSheetLayout {
        FrameSheetLayout(
            selection, start: start, end: end, columns: columns, pictureSize: pictureSize,
            format: output.flatMap { SheetFormat(extension: $0.extension) })
    }

    /// Checks what can be checked before the clip is read.
    ///
    /// - Throws: `LivePhotoError`.
    package func check() throws(LivePhotoError) {
        try InputFileCheck.checkClip(clip)
        if let columns, !(1...100 ~= columns) {
            throw LivePhotoError(
                .invalidRequest, nil, "a sheet cannot have \(counted(columns, "column")); write 1 to 100")
        }
        guard let output else { return }
        guard SheetFormat(extension: output.extension) != nil else {
            throw LivePhotoError(
                .invalidRequest, output,
                "a sheet is a JPEG, PNG or HTML file; write a name that ends in .jpg, .png or .html")
        }
        try Publisher.check([output], inputs: [clip], replacing: replacesExisting)
        if output.isFolderOfFiles { throw LivePhotoError(writing: output, Errno.isDirectory) }
    }
}
