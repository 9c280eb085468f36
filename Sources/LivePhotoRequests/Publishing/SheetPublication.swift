import Bytes
import LivePhotoKit
import StillImage
package import SystemPackage

/// The output of a sheet: a staged file in a hidden folder, which is checked and then published.
package struct SheetPublication: Sendable {
    private let request: FrameSheetRequest
    private let output: FilePath
    private let format: SheetFormat
    private let name: FilePath.Component
    private let publisher: Publisher

    /// Creates an empty file for the pictures. Nil if no sheet is written.
    ///
    /// - Throws: `LivePhotoError`.
    package init?(_ request: FrameSheetRequest) throws {
        guard let output = request.output, let format = SheetFormat(extension: output.extension) else { return nil }
        guard let name = output.lastComponent else {
            throw LivePhotoError(.invalidRequest, output, "cannot be a file name; give another one")
        }
        (self.request, self.output, self.format, self.name) = (request, output, format, name)
        publisher = try Publisher([.init(name)], in: output.folder)
        do {
            try OutputFile.write(pictures) { _ in }
        } catch {
            throw LivePhotoError(writing: output, error)
        }
    }

    /// The file for the pictures.
    package var pictures: FilePath {
        publisher.stagedPath(format == .html ? name.appending(".pictures") : name)
    }

    package func discard() { publisher.discard() }

    /// Checks the pictures, completes the sheet and moves it to its place.
    ///
    /// - Throws: `LivePhotoError`, after removing the files.
    package func publish(_ sheet: FrameSheet) throws {
        do {
            let file = try InputFile(pictures, named: output)
            switch format {
            case .html:
                let parts = try ConsecutiveJPEGs.read(file, sizes: sheet.pictures.map(\.bytes), size: sheet.size)
                let page = SheetPage(request.clip, sheet, parts)
                try OutputFile.write(publisher.stagedPath(name)) { try $0.write(Array(page.text.utf8)) }
                try FileSystem.removeFile(pictures)
            case .jpeg: try check(ExportedFacts(of: file, as: .jpeg).size, sheet)
            case .png: try check(Self.sizeOfPNG(file), sheet)
            }
            try publisher.publish(replacing: request.replacesExisting)
        } catch let error as Errno {
            throw LivePhotoError(writing: output, error)
        } catch let error as ParseError {
            throw failedCheck("\(error)")
        } catch let error as ConsecutiveJPEGs.Mismatch {
            throw failedCheck(error.reason)
        }
    }

    private func check(_ size: PixelSize, _ sheet: FrameSheet) throws(LivePhotoError) {
        guard size == sheet.size else {
            throw failedCheck("it is \(size) instead of \(sheet.size.map { "\($0)" } ?? "nothing")")
        }
    }

    /// ISO/IEC 15948, 5.2 and 11.2.2: the signature, then the chunk with the size.
    private static func sizeOfPNG(_ file: InputFile) throws -> PixelSize {
        let bytes = try file.bytes(at: 0, count: 24)
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard bytes.starts(with: signature), bytes[12..<16].elementsEqual("IHDR".utf8) else {
            throw ParseError(.missing, in: "PNG", at: 0, expected: "the signature of a PNG and its header")
        }
        func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        return PixelSize(width: number(16), height: number(20))
    }

    private func failedCheck(_ reason: String) -> LivePhotoError {
        LivePhotoError(.internalError, output, "the result did not pass its check: \(reason)")
    }
}
