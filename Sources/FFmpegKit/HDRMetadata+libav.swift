import CFFmpeg
package import MediaModel

extension Frame {
    /// The picture's static HDR metadata; nil if it has none.
    package var hdrMetadata: HDRMetadata? {
        func data<Value>(_ type: AVFrameSideDataType, _: Value.Type) -> UnsafePointer<Value>? {
            guard let side = av_frame_get_side_data(pointer, type), side.pointee.size >= MemoryLayout<Value>.size else {
                return nil
            }
            return UnsafeRawPointer(side.pointee.data)?.assumingMemoryBound(to: Value.self)
        }
        return HDRMetadata(
            data(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AVMasteringDisplayMetadata.self),
            data(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AVContentLightMetadata.self))
    }
}

extension HDRMetadata {
    /// The metadata that the container states; nil if it states none.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        func data<Value>(_ type: AVPacketSideDataType, _: Value.Type) -> UnsafePointer<Value>? {
            livephoto_side_data(stream, type, MemoryLayout<Value>.size)?.assumingMemoryBound(to: Value.self)
        }
        self.init(
            data(AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AVMasteringDisplayMetadata.self),
            data(AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AVContentLightMetadata.self))
    }

    fileprivate init?(
        _ display: UnsafePointer<AVMasteringDisplayMetadata>?, _ light: UnsafePointer<AVContentLightMetadata>?
    ) {
        self.init(
            display: display.flatMap { Display($0.pointee) },
            lightLevel: light.map {
                LightLevel(pixel: UInt16(clamping: $0.pointee.MaxCLL), frame: UInt16(clamping: $0.pointee.MaxFALL))
            })
    }
}

extension HDRMetadata.Display {
    /// Nil if the metadata are not complete.
    fileprivate init?(_ display: AVMasteringDisplayMetadata) {
        guard display.has_primaries != 0, display.has_luminance != 0 else { return nil }
        func chromaticity(_ point: (AVRational, AVRational)) -> HDRMetadata.Chromaticity {
            HDRMetadata.Chromaticity(
                x: UInt16(clamping: point.0.units(of: 50_000)), y: UInt16(clamping: point.1.units(of: 50_000)))
        }
        let primaries = display.display_primaries
        self.init(
            red: chromaticity(primaries.0), green: chromaticity(primaries.1), blue: chromaticity(primaries.2),
            white: chromaticity(display.white_point),
            brightest: UInt32(clamping: display.max_luminance.units(of: 10_000)),
            darkest: UInt32(clamping: display.min_luminance.units(of: 10_000)))
    }
}

extension AVRational {
    /// The number in units of 1/`count`; 0 for none.
    fileprivate func units(of count: Int64) -> Int64 {
        den == 0 ? 0 : av_rescale(Int64(num), count, Int64(den))
    }
}
