import Bytes
import FFmpegKit
import LivePhotoKit

/// Detects scrambled video in MPEG streams, as in television recordings and on DVDs. libav does not report it and
/// decodes noise.
enum ScramblingCheck {
    /// Bytes examined at the start of the file.
    private static let searchedBytes = 4 << 20

    /// - Parameters:
    ///   - container: libav's name.
    ///   - video: its `id` is the PID of a transport stream or the stream_id of a program stream.
    static func isScrambled(_ file: InputFile, container: String, video: StreamInfo) -> Bool {
        guard ["mpegts", "mpeg"].contains(container),
            let bytes = try? file.bytes(at: 0, count: searchedBytes)
        else { return false }
        let packets =
            container == "mpegts" ? transportPackets(bytes, pid: video.id) : programPackets(bytes, id: video.id)
        return packets.total > 0 && packets.scrambled * 2 > packets.total
    }

    private typealias Count = (total: Int, scrambled: Int)

    /// ISO/IEC 13818-1, 2.4.3.2: sync byte 0x47, 13 bits PID, 2 bits transport_scrambling_control, 1 bit each for the
    /// presence of an adaptation field and of a payload.
    private static func transportPackets(_ bytes: [UInt8], pid: Int) -> Count {
        // Disc recorders add 4 bytes before each packet, broadcasters 16 bytes after it.
        for size in [188, 192, 204] {
            func isStart(_ place: Int) -> Bool {
                stride(from: place, to: place + 5 * size, by: size).allSatisfy { $0 < bytes.count && bytes[$0] == 0x47 }
            }
            // A recording may start within a packet.
            guard let start = (0..<size).first(where: isStart) else { continue }
            return stride(from: start, to: bytes.count - 3, by: size).reduce(into: (0, 0)) { count, place in
                guard Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2]) == pid, bytes[place + 3] & 0x10 != 0
                else { return }
                count.0 += 1
                if bytes[place + 3] & 0xC0 != 0 { count.1 += 1 }
            }
        }
        return (0, 0)
    }

    /// ISO/IEC 13818-1, 2.4.3.6: 00 00 01, stream_id, 16 bits length, then 2 bits `10` and 2 bits
    /// PES_scrambling_control.
    private static func programPackets(_ bytes: [UInt8], id: Int) -> Count {
        var count = (0, 0)
        var place = 0
        while place + 6 < bytes.count {
            guard bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1,
                Int(bytes[place + 3]) == id & 0xFF, bytes[place + 6] & 0xC0 == 0x80
            else {
                place += 1
                continue
            }
            count.0 += 1
            if bytes[place + 6] & 0x30 != 0 { count.1 += 1 }
            place += 6 + Int(bytes[place + 4]) << 8 + Int(bytes[place + 5])
        }
        return count
    }
}
