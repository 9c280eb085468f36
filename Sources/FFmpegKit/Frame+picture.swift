import CFFmpeg
package import MediaModel

extension Frame {
    /// A picture of planes, which are copied.
    ///
    /// - Parameters:
    ///   - format: libav's name of a planar pixel format: `yuv420p10le`.
    ///   - planes: in libav's order; row after row without gaps.
    /// - Throws: `LibavError` also for a format that libav does not have, and for planes that do not fit it.
    package convenience init(
        size: PixelSize, format: String, color: ColorDescription, planes: [[UInt8]]
    ) throws(LibavError) {
        try self.init()
        let format = av_get_pix_fmt(format)
        guard let descriptor = av_pix_fmt_desc_get(format), descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) == 0
        else { throw LibavError(call: "av_get_pix_fmt", code: AVErrorInvalidArgument) }
        // Filters want one.
        pointer.pointee.time_base = AVRational(num: 1, den: 1)
        pointer.pointee.format = format.rawValue
        pointer.pointee.width = Int32(clamping: size.width)
        pointer.pointee.height = Int32(clamping: size.height)
        pointer.pointee.color_primaries = AVColorPrimaries(rawValue: UInt32(color.primaries))
        pointer.pointee.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(color.transfer))
        pointer.pointee.colorspace = AVColorSpace(rawValue: UInt32(color.matrix))
        pointer.pointee.color_range = color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        try check(av_frame_get_buffer(pointer, 0), "av_frame_get_buffer")
        guard planes.count == Int(av_pix_fmt_count_planes(format)) else { throw Self.misfit }
        for (index, plane) in planes.enumerated() {
            let isChroma = index == 1 || index == 2
            let rows = isChroma ? -(-size.height >> Int(descriptor.pointee.log2_chroma_h)) : size.height
            try fill(
                index, with: plane, rows: rows,
                rowBytes: av_image_get_linesize(format, pointer.pointee.width, Int32(index)))
        }
    }

    private func fill(_ index: Int, with plane: [UInt8], rows: Int, rowBytes: Int32) throws(LibavError) {
        let frame = pointer
        let targets = [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2, frame.pointee.data.3]
        let strides = [
            frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2, frame.pointee.linesize.3,
        ]
        guard targets.indices.contains(index), let target = targets[index], rowBytes > 0,
            plane.count == rows * Int(rowBytes)
        else { throw Self.misfit }
        plane.withUnsafeBufferPointer {
            av_image_copy_plane(target, strides[index], $0.baseAddress, rowBytes, rowBytes, Int32(clamping: rows))
        }
    }

    /// The first plane of a planar picture of 8 bits, row after row without gaps: luma, where there is some.
    ///
    /// - Throws: `LibavError` for a picture of another layout.
    package func lumaPlane() throws(LibavError) -> [UInt8] {
        let frame = pointer
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        let format = pixelFormat
        guard format.bitsPerComponent == 8, !format.isRGB, let source = frame.pointee.data.0, width > 0, height > 0,
            av_image_get_linesize(AVPixelFormat(rawValue: frame.pointee.format), frame.pointee.width, 0)
                == frame.pointee.width
        else { throw Self.misfit }
        return [UInt8](unsafeUninitializedCapacity: width * height) { buffer, initialized in
            av_image_copy_plane(
                buffer.baseAddress, frame.pointee.width, source, frame.pointee.linesize.0, frame.pointee.width,
                Int32(clamping: height))
            initialized = width * height
        }
    }

    /// Whether all pixels of a part of a yuv420p picture are alike, but for `tolerance` of 255; ends at the first that is
    /// not.
    ///
    /// - Parameter part: begins at even places.
    /// - Throws: `LibavError` for a picture of another format, and for a part that is not inside.
    package func isFlat(in part: PixelRectangle, tolerance: Int = 2) throws(LibavError) -> Bool {
        let frame = pointer
        guard pixelFormat.name == "yuv420p", part.fits(in: size) else { throw Self.misfit }
        let planes = [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2]
        let strides = [frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2].map(Int.init)
        for (plane, stride) in zip(planes, strides) {
            let scale = plane == planes[0] ? 1 : 2
            guard let start = plane.map({ $0 + part.y / scale * stride + part.x / scale }) else { throw Self.misfit }
            let allowed = Int(start[0]) - tolerance...Int(start[0]) + tolerance
            for row in 0..<max(part.height / scale, 1) {
                let line = UnsafeBufferPointer(start: start + row * stride, count: max(part.width / scale, 1))
                guard line.allSatisfy({ allowed.contains(Int($0)) }) else { return false }
            }
        }
        return true
    }

    private static var misfit: LibavError { LibavError(call: "av_image_copy_plane", code: AVErrorInvalidArgument) }

    /// What the frame's numbers mean, as tagged; 2 (unspecified) where it does not say.
    package var color: ColorDescription {
        let frame = pointer
        return ColorDescription(
            primaries: UInt16(clamping: frame.pointee.color_primaries.rawValue),
            transfer: UInt16(clamping: frame.pointee.color_trc.rawValue),
            matrix: UInt16(clamping: frame.pointee.colorspace.rawValue),
            isFullRange: frame.pointee.color_range == AVCOL_RANGE_JPEG)
    }

    /// The ICC profile that came with the picture; nil when none did.
    package var iccProfile: [UInt8]? {
        guard let side = av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE), let data = side.pointee.data,
            side.pointee.size > 0
        else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: Int(side.pointee.size)))
    }
}
