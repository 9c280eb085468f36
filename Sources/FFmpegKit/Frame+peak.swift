import CFFmpeg

extension Frame {
    /// The largest magnitude of samples of all channels, where 1 is full scale. Samples in floating point can be larger.
    ///
    /// - Parameter range: of the samples of each channel.
    /// - Returns: 0 for no samples, and for a format that libav has since added.
    package func peak(of range: Range<Int>) -> Float {
        let range = range.clamped(to: 0..<max(sampleCount, 0))
        let format = AVSampleFormat(rawValue: pointer.pointee.format)
        let channels = Int(pointer.pointee.ch_layout.nb_channels)
        guard !range.isEmpty, channels > 0, let data = pointer.pointee.extended_data else { return 0 }
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        let factor = isPlanar ? 1 : channels
        let samples = range.lowerBound * factor..<range.upperBound * factor
        return (0..<(isPlanar ? channels : 1)).reduce(0) { peak, plane in
            data[plane].map {
                max(peak, Self.peak(of: samples, UnsafeRawPointer($0), av_get_packed_sample_fmt(format)))
            } ?? peak
        }
    }

    private static func peak(of range: Range<Int>, _ start: UnsafeRawPointer, _ format: AVSampleFormat) -> Float {
        switch format {
        case AV_SAMPLE_FMT_FLT: largest(Float.self, start, range) { abs($0) }
        case AV_SAMPLE_FMT_DBL: largest(Double.self, start, range) { Float(abs($0)) }
        case AV_SAMPLE_FMT_S16: Float(largest(Int16.self, start, range) { UInt16($0.magnitude) }) / 0x1p15
        case AV_SAMPLE_FMT_S32: Float(largest(Int32.self, start, range) { $0.magnitude }) / 0x1p31
        case AV_SAMPLE_FMT_S64: Float(largest(Int64.self, start, range) { $0.magnitude }) / 0x1p63
        // 128 is silence.
        case AV_SAMPLE_FMT_U8: Float(largest(UInt8.self, start, range) { $0 > 128 ? $0 - 128 : 128 - $0 }) / 128
        default: 0
        }
    }

    @inline(__always)
    private static func largest<Sample, Magnitude: Numeric & Comparable>(
        _: Sample.Type, _ start: UnsafeRawPointer, _ range: Range<Int>, _ magnitude: (Sample) -> Magnitude
    ) -> Magnitude {
        let samples = UnsafeBufferPointer(start: start.assumingMemoryBound(to: Sample.self), count: range.upperBound)
        var largest = Magnitude.zero
        // Not a number is not larger.
        for index in range where magnitude(samples[index]) > largest { largest = magnitude(samples[index]) }
        return largest
    }
}
