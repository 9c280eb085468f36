import Bytes
import CLibFuzzer
import SystemPackage

/// A reader of files that may be hostile, with all that is done with what it reads.
enum FuzzTarget: String, CaseIterable {
    /// `MovieReader` and `BoxTree`.
    case movie
    /// HEIC and AVIF, read and edited.
    case heif
    /// JPEG, read and edited; bytes that do not begin as one are taken for Exif data.
    case jpeg
    /// XMP alone, and in a motion photo.
    case xmp

    func run(_ bytes: [UInt8]) {
        switch self {
        case .movie: exerciseMovie(bytes)
        case .heif: exercisePhoto(bytes)
        case .jpeg: bytes.starts(with: [0xFF, 0xD8]) ? exercisePhoto(bytes) : exerciseExif(bytes)
        case .xmp: exerciseXMP(bytes)
        }
    }

    func writeSamples(to folder: String) throws {
        let folder = FilePath(folder)
        func write(_ samples: [[UInt8]]) throws {
            for (index, sample) in samples.enumerated() {
                try OutputFile(creating: folder.appending("sample\(index)")).writeAll(sample)
            }
        }
        switch self {
        case .movie: try write(movieSamples(in: folder))
        case .heif: try write(heifSamples())
        case .jpeg: try write(jpegSamples() + exifSamples())
        case .xmp: try write(xmpSamples())
        }
    }
}

extension OutputFile {
    func writeAll(_ bytes: [UInt8]) throws {
        try write(bytes)
        try synchronize()
    }
}

/// A file in memory, filled again for each run: the readers read files.
private let scratch = FileDescriptor(rawValue: memfd_create("fuzzing", 0))

/// The bytes as a file.
func inputFile(_ bytes: [UInt8]) -> InputFile {
    do {
        try scratch.resize(to: 0)
        try scratch.writeAll(toAbsoluteOffset: 0, bytes)
        return try InputFile(FilePath("/proc/self/fd/\(scratch.rawValue)"))
    } catch {
        Fuzzing.fail("the file in memory cannot be written: \(error)")
    }
}
