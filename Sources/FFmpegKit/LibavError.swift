import CFFmpeg

/// A libav call that failed: which one, with what code, and what libav logged about it.
package struct LibavError: Error, Sendable {
    /// The C function's name.
    package let call: String
    /// libav's negative error code.
    package let code: Int32
    /// The last line that libav logged at level error on the calling thread.
    package let logLine: String?

    init(call: String, code: Int32) {
        self.call = call
        self.code = code
        self.logLine = LibavLog.takeLastError()
    }

    /// Whether there was not enough memory, be it for a thread's stack.
    package var isOutOfMemory: Bool {
        switch code {
        case AVErrorNoMemory: true
        // A thread could not be started. Reading a file can fail so for other reasons.
        case AVErrorAgain: call != "av_read_frame"
        // From an encoder: with our settings and pictures, libx264 has no other reason to fail.
        case AVErrorExternal: call == "avcodec_send_frame"
        default: false
        }
    }

    /// What libav logged, or otherwise what the code means.
    package var reason: String { logLine ?? codeMeaning }

    private var codeMeaning: String {
        var buffer = [CChar](repeating: 0, count: 128)
        av_strerror(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension LibavError: CustomStringConvertible {
    /// `avformat_open_input: Invalid data found when processing input (mov: moov atom not found)`
    package var description: String { "\(call): \(codeMeaning)" + (logLine.map { " (\($0))" } ?? "") }
}

/// The result of a libav call, or its failure as an error: a C status crosses into Swift here and nowhere else.
@discardableResult
func check(_ status: Int32, _ call: StaticString) throws(LibavError) -> Int32 {
    guard status >= 0 else { throw LibavError(call: "\(call)", code: status) }
    return status
}

/// What a libav allocation gave, or the lack of memory as an error.
func allocated<Pointer>(_ pointer: Pointer?, _ call: StaticString) throws(LibavError) -> Pointer {
    guard let pointer else { throw LibavError(call: "\(call)", code: AVErrorNoMemory) }
    return pointer
}
