import CZlib
package import SystemPackage

/// Unpacks deflated data (RFC 1951) with zlib, in memory that does not grow with them.
package final class Inflater {
    /// zlib remembers where it is.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Bytes that are read, and given, at a time.
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

    /// Unpacks a part of a file, once.
    ///
    /// - Parameters:
    ///   - range: where in the file the data are.
    ///   - limit: how many bytes there may be, unpacked.
    ///   - body: is given all bytes in order, some at a time.
    /// - Throws: `ParseError` for damaged data; `Errno` of pread(2); what `body` throws.
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
                // It does not write to its input.
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
