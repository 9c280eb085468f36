import Bytes
import CFFmpeg
import SystemPackage

/// Owns an AVIOContext through which libavformat reads one open file and nothing else.
final class FileSource {
    let context: UnsafeMutablePointer<AVIOContext>
    private let reader: Unmanaged<Reader>

    /// libavformat's position in the file.
    private final class Reader {
        let file: InputFile
        var position = 0
        /// No file system supports larger files (ext4: 16 TiB); lseek(2) fails for larger positions.
        private static let largestPosition = 1 << 44

        init(_ file: InputFile) { self.file = file }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
            do {
                let count = try file.read(at: position, into: buffer)
                position += count
                return count == 0 ? AVErrorEndOfFile : Int32(clamping: count)
            } catch {
                return -((error as? Errno)?.rawValue ?? Errno.ioError.rawValue)
            }
        }

        /// - Parameter whence: as in lseek(2), or `AVSEEK_SIZE`, which returns the file's size.
        func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
            let base: Int
            switch whence & ~AVSEEK_FORCE {
            case AVSEEK_SIZE: return Int64(file.size)
            case FileDescriptor.SeekOrigin.start.rawValue: base = 0
            case FileDescriptor.SeekOrigin.current.rawValue: base = position
            case FileDescriptor.SeekOrigin.end.rawValue: base = file.size
            default: return Int64(AVErrorInvalidArgument)
            }
            let (target, overflow) = base.addingReportingOverflow(Int(offset))
            guard !overflow, 0...Self.largestPosition ~= target else { return Int64(AVErrorInvalidArgument) }
            position = target
            return Int64(target)
        }
    }

    /// The size that libavformat's file protocol uses.
    private static let bufferSize = 32_768

    init(_ file: InputFile) throws(LibavError) {
        let buffer = try allocated(av_malloc(Self.bufferSize), "av_malloc")
        let reader = Unmanaged.passRetained(Reader(file))
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0, reader.toOpaque(),
            { opaque, buffer, count in
                guard let opaque, let buffer else { return AVErrorInvalidArgument }
                return Unmanaged<Reader>.fromOpaque(opaque).takeUnretainedValue()
                    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
            }, nil,
            { opaque, offset, whence in
                guard let opaque else { return Int64(AVErrorInvalidArgument) }
                return Unmanaged<Reader>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
            })
        guard let context else {
            av_free(buffer)
            reader.release()
            throw LibavError(call: "avio_alloc_context", code: AVErrorNoMemory)
        }
        self.context = context
        self.reader = reader
    }

    deinit {
        // libavformat may have replaced the buffer.
        av_free(context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&context)
        reader.release()
    }
}
