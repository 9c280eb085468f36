import Bytes
import LivePhotoKit
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A clip that was read from a pipe into an unnamed file, because decoding has to seek.
package struct SpooledClip: Sendable {
    /// The name of standard input in texts.
    package static let standardInput: FilePath = "standard input"
    /// Maximum size: more than three hours of 4K from a phone.
    package static let sizeLimit = 64_000_000_000
    /// The free space that is left for the pair.
    private static let reserve = 16 << 20
    private static let bufferSize = 1 << 20
    /// How often a read that waits for input checks for cancellation, in milliseconds.
    private static let interval: CInt = 100

    private let file: InputFile

    /// Where to open the clip, as long as this value exists.
    package var path: FilePath { file.pathForOtherProcesses }

    /// Checks that standard input is open. If it is closed, files that are opened later could get its number.
    package static func check() throws(LivePhotoError) {
        guard FileSystem.isReadable(.standardInput) else {
            throw LivePhotoError(.inputOutput, standardInput, "is closed; pipe a clip into it")
        }
    }

    /// Reads to the end of the input.
    ///
    /// - Parameters:
    ///   - directory: The output folder, which need not exist; the file is created there or in the nearest existing parent.
    ///   - limit: Maximum size in bytes.
    /// - Throws: `LivePhotoError`.
    package init(
        _ input: FileDescriptor = .standardInput, for directory: FilePath, limit: Int = sizeLimit,
        _ cancellation: CancellationFlag
    ) throws(LivePhotoError) {
        let folder: FilePath
        do {
            folder = try OutputDirectory.nearest(to: directory)
            file = try FileSystem.temporaryFile(in: folder, named: Self.standardInput) { output in
                try Self.copy(input, to: output, in: folder, limit: limit, cancellation)
            }
        } catch {
            throw LivePhotoError(writing: directory, error)
        }
        guard file.size > 0 else {
            throw LivePhotoError(.unusableMedia, Self.standardInput, "is empty (0 bytes)")
        }
    }

    private static func copy(
        _ input: FileDescriptor, to output: OutputFile, in folder: FilePath, limit: Int,
        _ cancellation: CancellationFlag
    ) throws {
        var buffer = [UInt8](repeating: 0, count: bufferSize)
        var checked = 0
        while true {
            try wait(for: input, cancellation)
            let count: Int
            do {
                count = try buffer.withUnsafeMutableBytes { try input.read(into: $0) }
            } catch Errno.wouldBlock {
                continue
            } catch {
                throw LivePhotoError(reading: standardInput, error)
            }
            if count == 0 { return }
            guard output.position + count <= limit else { throw tooLarge(limit: limit) }
            if output.position >= checked {
                checked = output.position + reserve
                guard FreeSpace.bytes(at: folder).map({ $0 >= reserve }) ?? true else { throw fullDisk(folder) }
            }
            do {
                try output.write(buffer[..<count])
            } catch Errno.noSpace {
                throw fullDisk(folder)
            }
        }
    }

    package static func tooLarge(limit: Int) -> LivePhotoError {
        let size = limit < 1_000_000_000 ? "\(limit / 1_000_000) MB" : "\(limit / 1_000_000_000) GB"
        return LivePhotoError(
            .unusableMedia, standardInput, "has more than \(size), the limit for a pipe; save the clip to a file first")
    }

    private static func fullDisk(_ folder: FilePath) -> LivePhotoError {
        LivePhotoError(
            .inputOutput, standardInput,
            "does not fit on the disk of \(folder); free some space, or give a folder on another disk with --output")
    }

    /// Waits until there is something to read, or the end.
    private static func wait(for input: FileDescriptor, _ cancellation: CancellationFlag) throws(LivePhotoError) {
        var state = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
        repeat { try cancellation.check() } while poll(&state, 1, interval) == 0
    }
}
