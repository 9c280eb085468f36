import Bytes
import CFFmpeg
import SystemPackage

/// Owns an AVIOContext through which libavformat writes one open file and nothing else.
final class FileSink {
    let context: UnsafeMutablePointer<AVIOContext>
    private let writer: Unmanaged<Writer>

    /// libavformat's position in the file.
    private final class Writer {
        let file: OutputFile
        var position = 0
        /// The error of the last write, which libavformat replaces by its own.
        var error: Errno?

        init(_ file: OutputFile) { self.file = file }

        func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
            do {
                // Headers are written again when their sizes are known.
                let old = min(bytes.count, max(file.position - position, 0))
                if old > 0 { try file.overwrite(at: position, with: Array(bytes[..<old])) }
                if old < bytes.count { try file.write(bytes[old...]) }
                position += bytes.count
                return Int32(clamping: bytes.count)
            } catch {
                self.error = error as? Errno ?? .ioError
                return -(self.error?.rawValue ?? 0)
            }
        }

        /// - Parameter whence: as in lseek(2), or `AVSEEK_SIZE`, which returns the file's size.
        func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
            let base: Int
            switch whence & ~AVSEEK_FORCE {
            case AVSEEK_SIZE: return Int64(file.position)
            case FileDescriptor.SeekOrigin.start.rawValue: base = 0
            case FileDescriptor.SeekOrigin.current.rawValue: base = position
            case FileDescriptor.SeekOrigin.end.rawValue: base = file.position
            default: return Int64(AVErrorInvalidArgument)
            }
            let (target, overflow) = base.addingReportingOverflow(Int(offset))
            // Gaps are not written.
            guard !overflow, 0...file.position ~= target else { return Int64(AVErrorInvalidArgument) }
            position = target
            return Int64(target)
        }
    }

    /// The size that libavformat's file protocol uses.
    private static let bufferSize = 32_768

    /// - Parameter file: written from its current end on, which must be its start.
    init(_ file: OutputFile) throws(LibavError) {
        let buffer = try allocated(av_malloc(Self.bufferSize), "av_malloc")
        let writer = Unmanaged.passRetained(Writer(file))
        let context = livephoto_alloc_sink(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), writer.toOpaque(),
            { opaque, bytes, count in
                guard let opaque, let bytes, count >= 0 else { return AVErrorInvalidArgument }
                return Unmanaged<Writer>.fromOpaque(opaque).takeUnretainedValue()
                    .write(UnsafeBufferPointer(start: bytes, count: Int(count)))
            },
            { opaque, offset, whence in
                guard let opaque else { return Int64(AVErrorInvalidArgument) }
                return Unmanaged<Writer>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
            })
        guard let context else {
            av_free(buffer)
            writer.release()
            throw LibavError(call: "avio_alloc_context", code: AVErrorNoMemory)
        }
        self.context = context
        self.writer = writer
    }

    /// Writes the buffer to the file.
    ///
    /// - Throws: `Errno` of write(2), also of an earlier write.
    func flush() throws(Errno) {
        avio_flush(context)
        if let error = writer.takeUnretainedValue().error { throw error }
    }

    deinit {
        // libavformat may have replaced the buffer.
        av_free(context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&context)
        writer.release()
    }
}
