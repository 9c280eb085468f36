import CFFmpeg

/// A failed libav call: its name, its error code, and the reason that libav logged.
package struct LibavError: Error, Sendable {
    /// The C function's name.
    package let call: String
    /// libav's negative error code.
    package let code: Int32
    /// The last line that libav logged at level error on the calling thread.
    package let logLine: String?
    /// The first line since the work began. Where several layers of libav log an error, it is that of the innermost.
    package let firstLogLine: String?

    init(call: String, code: Int32) {
        self.call = call
        self.code = code
        (firstLogLine, logLine) = LibavLog.takeErrors()
    }

    /// Whether a thread could not be started: there was no memory for its stack, or the system allows no more.
    package var isOutOfThreads: Bool {
        switch code {
        // Reading a file can fail with this code for other reasons.
        case AVErrorAgain: call != "av_read_frame"
        // libx264 logs every other reason.
        case AVErrorExternal: call == "avcodec_open2" && logLine == nil
        default: false
        }
    }

    /// Whether there was not enough memory, or a thread could not be started.
    package var isOutOfMemory: Bool {
        switch code {
        case AVErrorNoMemory: true
        // With our settings and pictures, libx264 fails for no other reason. It also encodes delayed pictures at the end.
        case AVErrorExternal: isOutOfThreads || ["avcodec_send_frame", "avcodec_receive_packet"].contains(call)
        default: isOutOfThreads
        }
    }

    /// The logged reason, or the meaning of the code if there is none.
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

/// Throws if a libav call failed. Only this function turns a C status into a Swift error.
func check(_ status: Int32, _ call: StaticString) throws(LibavError) {
    guard status >= 0 else { throw LibavError(call: "\(call)", code: status) }
}

/// The pointer that a libav allocation returned; throws if it is nil.
func allocated<Pointer>(_ pointer: Pointer?, _ call: StaticString) throws(LibavError) -> Pointer {
    guard let pointer else { throw LibavError(call: "\(call)", code: AVErrorNoMemory) }
    return pointer
}
