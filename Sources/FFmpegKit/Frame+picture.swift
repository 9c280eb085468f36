import CFFmpeg
package import MediaModel

extension Frame {
    /// A picture with copies of the given planes.
    ///
    /// - Parameters:
    ///   - format: libav's name of a planar pixel format: `yuv420p10le`.
    ///   - planes: in libav's order; row after row without gaps.
    /// - Throws: `LibavError`, also for a format that libav does not have or that does not match the planes.
    package convenience init(
        size: PixelSize, format: String, color: ColorDescription, planes: [[UInt8]]
    ) throws(LibavError) {
        try self.init(unfilled: size, format: format, color: color)
        let format = AVPixelFormat(rawValue: pointer.pointee.format)
        guard let descriptor = av_pix_fmt_desc_get(format), descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) == 0
        else { throw Self.misfit }
        guard planes.count == Int(av_pix_fmt_count_planes(format)) else { throw Self.misfit }
        for (index, plane) in planes.enumerated() {
            let isChroma = index == 1 || index == 2
            let rows = isChroma ? -(-size.height >> Int(descriptor.pointee.log2_chroma_h)) : size.height
            try fill(
                index, with: plane, rows: rows,
                rowBytes: av_image_get_linesize(format, pointer.pointee.width, Int32(index)))
        }
    }

    /// A picture whose samples have no defined values yet.
    ///
    /// - Throws: `LibavError`, also for a format that libav does not have.
    convenience init(unfilled size: PixelSize, format name: String, color: ColorDescription) throws(LibavError) {
        try self.init()
        let format = av_get_pix_fmt(name)
        guard format != AV_PIX_FMT_NONE else { throw LibavError(call: "av_get_pix_fmt", code: AVErrorInvalidArgument) }
        // Filters require a time base.
        pointer.pointee.time_base = AVRational(num: 1, den: 1)
        pointer.pointee.format = format.rawValue
        pointer.pointee.width = Int32(clamping: size.width)
        pointer.pointee.height = Int32(clamping: size.height)
        pointer.pointee.color_primaries = AVColorPrimaries(rawValue: UInt32(color.primaries))
        pointer.pointee.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(color.transfer))
        pointer.pointee.colorspace = AVColorSpace(rawValue: UInt32(color.matrix))
        pointer.pointee.color_range = color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        try check(av_frame_get_buffer(pointer, 0), "av_frame_get_buffer")
    }

    /// A picture with the format and properties of another one, whose samples have no defined values yet.
    convenience init(unfilledLike other: Frame) throws(LibavError) {
        try self.init(unfilled: other.size, format: other.pixelFormat.name, color: other.color)
        try check(av_frame_copy_props(pointer, other.pointer), "av_frame_copy_props")
    }

    private func fill(_ index: Int, with plane: [UInt8], rows: Int, rowBytes: Int32) throws(LibavError) {
        let target = planes[index]
        guard let start = target.start, rowBytes > 0, plane.count == rows * Int(rowBytes) else { throw Self.misfit }
        plane.withUnsafeBufferPointer {
            av_image_copy_plane(
                start, Int32(target.stride), $0.baseAddress, rowBytes, rowBytes, Int32(clamping: rows))
        }
    }

    /// The luma plane of a planar YCbCr picture, row after row without gaps; samples of more than 8 bits take two bytes.
    ///
    /// - Throws: `LibavError` for a picture with another layout.
    package func lumaPlane() throws(LibavError) -> [UInt8] { try plane(0) }

    /// Luma and both chroma planes, as `lumaPlane`.
    ///
    /// - Throws: `LibavError` for a picture with another layout.
    package func colorPlanes() throws(LibavError) -> [[UInt8]] { [try plane(0), try plane(1), try plane(2)] }

    private func plane(_ index: Int) throws(LibavError) -> [UInt8] {
        let format = pixelFormat
        let spacing =
            index == 0
            ? PixelSize(width: 1, height: 1)
            : PixelSize(width: format.chromaSpacing.width, height: format.chromaSpacing.height)
        let size = size
        let (width, height) = (
            (size.width + spacing.width - 1) / spacing.width, (size.height + spacing.height - 1) / spacing.height
        )
        let rowBytes = width * (format.bitsPerComponent > 8 ? 2 : 1)
        let (bytes, source) = (Int32(clamping: rowBytes), planes[index])
        guard (8...16).contains(format.bitsPerComponent), !format.isRGB, let start = source.start, width > 0,
            height > 0,
            av_image_get_linesize(
                AVPixelFormat(rawValue: pointer.pointee.format), pointer.pointee.width, Int32(index)) == bytes
        else { throw Self.misfit }
        return [UInt8](unsafeUninitializedCapacity: rowBytes * height) { buffer, initialized in
            av_image_copy_plane(
                buffer.baseAddress, bytes, start, Int32(clamping: source.stride), bytes, Int32(clamping: height))
            initialized = rowBytes * height
        }
    }

    /// The pixels of a picture with a single plane, such as `rgba`, row after row without gaps.
    ///
    /// - Throws: `LibavError` for a picture with several planes.
    package func packedPixels() throws(LibavError) -> [UInt8] {
        let (frame, rows) = (pointer, Int(pointer.pointee.height))
        let format = AVPixelFormat(rawValue: frame.pointee.format)
        let rowBytes = av_image_get_linesize(format, frame.pointee.width, 0)
        guard av_pix_fmt_count_planes(format) == 1, rowBytes > 0, rows > 0, let source = frame.pointee.data.0 else {
            throw Self.misfit
        }
        return [UInt8](unsafeUninitializedCapacity: rows * Int(rowBytes)) { buffer, initialized in
            av_image_copy_plane(
                buffer.baseAddress, rowBytes, source, frame.pointee.linesize.0, rowBytes, Int32(clamping: rows))
            initialized = rows * Int(rowBytes)
        }
    }

    /// Whether all samples in a part of a yuv420p or yuv420p10le picture equal its first, give or take `tolerance` of 255.
    ///
    /// - Parameter part: inside the picture, with even coordinates.
    /// - Throws: `LibavError` for a picture of another format, or a part outside the picture.
    package func isFlat(in part: PixelRectangle, tolerance: Int = 2) throws(LibavError) -> Bool {
        guard part.fits(in: size) else { throw Self.misfit }
        switch pixelFormat.name {
        case "yuv420p": return try isFlat(UInt8.self, part, tolerance)
        case "yuv420p10le": return try isFlat(UInt16.self, part, tolerance * 4)
        default: throw Self.misfit
        }
    }

    private func isFlat<Sample: FixedWidthInteger>(
        _: Sample.Type, _ part: PixelRectangle, _ tolerance: Int
    ) throws(LibavError) -> Bool {
        for (index, (plane, stride)) in planes.prefix(3).enumerated() {
            let scale = index == 0 ? 1 : 2
            guard let plane else { throw Self.misfit }
            let (rows, columns) = (max(part.height / scale, 1), max(part.width / scale, 1))
            let corner = UnsafeRawPointer(plane) + part.y / scale * stride + part.x / scale * MemoryLayout<Sample>.size
            let first = Int(Sample(littleEndian: corner.load(as: Sample.self)))
            let allowed = first - tolerance...first + tolerance
            for row in 0..<rows {
                let start = (corner + row * stride).assumingMemoryBound(to: Sample.self)
                let line = UnsafeBufferPointer(start: start, count: columns)
                guard line.allSatisfy({ allowed.contains(Int(Sample(littleEndian: $0))) }) else { return false }
            }
        }
        return true
    }

    private static var misfit: LibavError { LibavError(call: "av_image_copy_plane", code: AVErrorInvalidArgument) }

    /// The color tags of the frame; 2 (unspecified) for missing ones.
    package var color: ColorDescription {
        ColorDescription(
            pointer.pointee.color_primaries, pointer.pointee.color_trc, pointer.pointee.colorspace,
            pointer.pointee.color_range)
    }

    /// The picture's ICC profile; nil if it has none.
    package var iccProfile: [UInt8]? {
        guard let side = av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE), let data = side.pointee.data,
            side.pointee.size > 0
        else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: Int(side.pointee.size)))
    }
}
