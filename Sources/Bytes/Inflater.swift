import CZlib
package import SystemPackage

/// Decompresses deflated data (RFC 1951) with zlib, in constant memory.
package final class Inflater {
    /// zlib keeps a pointer to this, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Bytes read and decompressed at a time.
    private static let step = 1 << 17

    /// - Throws: `Errno.noMemory`.
    package init() throws(Errno) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard livephoto_inflate_init(stream) == Z_OK else {
            stream.deallocate()
            throw .noMemory
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses a part of a file. Can be called once.
    ///
    /// - Parameters:
    ///   - limit: The largest decompressed size in bytes.
    ///   - body: Called with all bytes, in order and in parts.
    /// - Throws: `ParseError` for damaged data; `Errno` of pread(2); errors of `body`.
    package func unpack(_ range: Range<Int>, of file: InputFile, limit: Int, _ body: ([UInt8]) throws -> Void) throws {
        var (offset, count) = (range.lowerBound, 0)
        var output = [UInt8](repeating: 0, count: Self.step)
        while true {
            let input = try file.bytes(at: offset, count: min(Self.step, range.upperBound - offset))
            let (status, read, made) = inflated(input, &output)
            offset += read
            count += made
            guard count <= limit else {
                throw error(.overLimit, at: offset, "no more data than the directory says")
            }
            if made > 0 { try body(Array(output[..<made])) }
            switch status {
            case Z_STREAM_END: return
            case Z_OK: break
            case Z_BUF_ERROR where input.isEmpty: throw error(.truncated, at: offset, "more data")
            case Z_MEM_ERROR: throw Errno.noMemory
            default: throw error(.invalidValue, at: offset, "data that can be unpacked")
            }
        }
    }

    private func inflated(_ input: [UInt8], _ output: inout [UInt8]) -> (status: CInt, read: Int, made: Int) {
        input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib does not write to its input.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                let status = inflate(stream, Z_NO_FLUSH)
                return (
                    status, input.count - Int(stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out)
                )
            }
        }
    }

    private func error(_ code: ParseError.Code, at offset: Int, _ expected: String) -> ParseError {
        ParseError(code, in: "deflated data", at: offset, expected: expected)
    }
}
