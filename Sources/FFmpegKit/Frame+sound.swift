import CFFmpeg

extension Frame {
    /// The samples of each channel of sound in planar floating point (`fltp`).
    ///
    /// - Throws: `LibavError` for sound in another format.
    package func planarSamples() throws(LibavError) -> [[Float]] {
        guard pointer.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue, let planes = pointer.pointee.extended_data else {
            throw LibavError(call: "planar samples", code: AVErrorInvalidArgument)
        }
        return (0..<Int(pointer.pointee.ch_layout.nb_channels)).map { channel in
            [Float](unsafeUninitializedCapacity: sampleCount) { buffer, initialized in
                guard let plane = planes[channel] else { return }
                plane.withMemoryRebound(to: Float.self, capacity: sampleCount) {
                    initialized = buffer.update(fromContentsOf: UnsafeBufferPointer(start: $0, count: sampleCount))
                }
            }
        }
    }

    /// Sound with other samples, in the format and with the channels of `other`.
    ///
    /// - Parameter samples: of each channel, equally many.
    /// - Throws: `LibavError` for another number of channels, and for `other` in another format than `fltp`.
    package convenience init(samples: [[Float]], like other: Frame) throws(LibavError) {
        try self.init()
        let count = samples.first?.count ?? 0
        guard other.pointer.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue, count > 0,
            samples.count == Int(other.pointer.pointee.ch_layout.nb_channels),
            samples.allSatisfy({ $0.count == count })
        else { throw LibavError(call: "planar samples", code: AVErrorInvalidArgument) }
        pointer.pointee.format = other.pointer.pointee.format
        pointer.pointee.sample_rate = other.pointer.pointee.sample_rate
        pointer.pointee.nb_samples = Int32(clamping: count)
        pointer.pointee.time_base = AVRational(num: 1, den: max(other.pointer.pointee.sample_rate, 1))
        try check(
            av_channel_layout_copy(&pointer.pointee.ch_layout, &other.pointer.pointee.ch_layout),
            "av_channel_layout_copy")
        try check(av_frame_get_buffer(pointer, 0), "av_frame_get_buffer")
        for (channel, samples) in samples.enumerated() {
            guard let plane = pointer.pointee.extended_data?[channel] else { continue }
            samples.withUnsafeBytes { bytes in
                if let start = bytes.baseAddress {
                    plane.update(from: start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
                }
            }
        }
    }
}
