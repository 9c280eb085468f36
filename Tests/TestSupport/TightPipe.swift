import Foundation

/// Takes what a program prints, and makes it wait after a few lines, so that it can be stopped on its way.
package final class TightPipe {
    private let pipe = Pipe()
    private let filler: Int

    /// - Parameter room: how many bytes fit before the pipe is read.
    package init(room: Int) throws {
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        // Linux's F_SETPIPE_SZ, a macro for GNU sources alone.
        let capacity = Int(fcntl(descriptor, 1031, getpagesize()))
        guard capacity > room else { throw ProgramError(description: "a pipe holds only \(capacity) bytes") }
        filler = capacity - room
        try pipe.fileHandleForWriting.write(contentsOf: Data(repeating: 0, count: filler))
    }

    var writeEnd: FileHandle { pipe.fileHandleForWriting }

    /// What the program printed until it ended.
    func read() throws -> String {
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: data.dropFirst(filler), as: UTF8.self)
    }
}
