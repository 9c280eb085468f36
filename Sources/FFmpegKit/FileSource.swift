import Bytes
import CFFmpeg
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Owns an AVIOContext by which libavformat reads an open file, and nothing else.
final class FileSource {
    let context: UnsafeMutablePointer<AVIOContext>
    private let reader: Unmanaged<Reader>

    /// Where libavformat is in the file.
    private final class Reader {
        let file: InputFile
        var position = 0
        /// Behind it no file system keeps a file (ext4: 16 TiB); lseek(2) fails there.
        private static let lastPosition = 1 << 44

        init(_ file: InputFile) { self.file = file }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
            do {
                let count = try file.read(at: position, into: buffer)
                position += count
                return count == 0 ? AVErrorEndOfFile : Int32(clamping: count)
            } catch {
                return -((error as? Errno)?.rawValue ?? EIO)
            }
        }

        /// - Parameter whence: as of lseek(2), or `AVSEEK_SIZE`, which asks for the file's size.
        func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
            let base: Int
            switch whence & ~AVSEEK_FORCE {
            case AVSEEK_SIZE: return Int64(file.size)
            case SEEK_SET: base = 0
            case SEEK_CUR: base = position
            case SEEK_END: base = file.size
            default: return Int64(-EINVAL)
            }
            let (target, overflow) = base.addingReportingOverflow(Int(offset))
            guard !overflow, 0...Self.lastPosition ~= target else { return Int64(-EINVAL) }
            position = target
            return Int64(target)
        }
    }

    /// As much as libavformat's own file protocol reads at once.
    private static let bufferSize = 32_768

    init(_ file: InputFile) throws(LibavError) {
        let buffer = try allocated(av_malloc(Self.bufferSize), "av_malloc")
        let reader = Unmanaged.passRetained(Reader(file))
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0, reader.toOpaque(),
            { opaque, buffer, count in
                guard let opaque, let buffer else { return -EINVAL }
                return Unmanaged<Reader>.fromOpaque(opaque).takeUnretainedValue()
                    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
            }, nil,
            { opaque, offset, whence in
                guard let opaque else { return Int64(-EINVAL) }
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
        // libavformat may have put another buffer in the place of the first.
        av_free(context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&context)
        reader.release()
    }
}
