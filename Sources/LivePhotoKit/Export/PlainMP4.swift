package import Bytes
import QuickTime
package import SystemPackage

/// Turns the movie of a conversion into an MP4 for any player.
package enum PlainMP4 {
    /// - Parameters:
    ///   - movie: H.264 and AAC, as conversions write them.
    ///   - name: the file that the movie was made from, for errors.
    ///   - cover: a JPEG that programs may show for the file.
    /// - Throws: `LivePhotoError`; `Errno` of writing.
    package static func write(_ movie: InputFile, of name: FilePath, cover: [UInt8]?, to output: OutputFile) throws {
        do {
            let copy = try MP4Copy(MovieReader(movie), sound: .keep, for: .playback(cover: cover))
            try copy.pieces().write(to: output)
        } catch let error as any CustomStringConvertible & Error where error is MovieEditError || error is ParseError {
            throw LivePhotoError(.internalError, name, "its MP4 cannot be written: \(error)", cause: error)
        }
    }
}
