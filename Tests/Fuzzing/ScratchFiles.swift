import Bytes
import CLibFuzzer
import Files
import SystemPackage

/// Files in memory, filled again for each run: the readers read files.
private let scratchFiles = (0..<4).map { _ in FileDescriptor(rawValue: memfd_create("fuzzing", 0)) }

/// The bytes as a file, until another one gets the same place.
func scratchFile(_ bytes: [UInt8], place: Int = 0) -> InputFile {
    Fuzzing.must("the file in memory cannot be opened") { try InputFile(scratchPath(bytes, place: place)) }
}

/// The path of such a file.
func scratchPath(_ bytes: [UInt8], place: Int = 0) -> FilePath {
    let file = scratchFiles[place]
    return Fuzzing.must("the file in memory cannot be written") {
        try file.resize(to: 0)
        try file.writeAll(toAbsoluteOffset: 0, bytes)
        return FilePath("/proc/self/fd/\(file.rawValue)")
    }
}

/// The files in a folder, in the order of their names.
func files(in folder: FilePath) throws -> [(name: String, bytes: [UInt8])] {
    try OpenFolder(named: folder).names().map(\.string).sorted().map { name in
        (name, try InputFile(folder.appending(name)).contents(limit: 1 << 24))
    }
}

extension FilePieces {
    /// More than any input grows to.
    var allBytes: [UInt8] { Fuzzing.must("pieces cannot be read") { try contents(limit: 1 << 26) } }
}

func bytes(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    write(&writer)
    return writer.bytes
}
