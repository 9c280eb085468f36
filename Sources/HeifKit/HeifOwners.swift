import CHeif
import MediaModel

/// Owns a heif_context: a file in memory whose boxes have been read.
struct HeifContext: ~Copyable {
    private let pointer: OpaquePointer

    /// - Parameter file: the contents of the whole file; libheif copies them.
    static func open(_ file: [UInt8], edgeLimit: Int) throws(HeifError) -> HeifContext {
        let context = HeifContext(pointer: try given(heif_context_alloc(), "context"))
        // libheif allows as many pixels as the square of this number.
        heif_context_set_maximum_image_size_limit(context.pointer, Int32(clamping: edgeLimit))
        try check(
            file.withUnsafeBytes { heif_context_read_from_memory(context.pointer, $0.baseAddress, $0.count, nil) })
        return context
    }

    deinit {
        heif_context_free(pointer)
    }

    func primaryImage() throws(HeifError) -> HeifItem {
        var handle: OpaquePointer?
        try check(heif_context_get_primary_image_handle(pointer, &handle))
        return HeifItem(pointer: try given(handle, "primary image"))
    }
}

/// Owns a heif_image_handle: an image of a file, not yet decoded.
struct HeifItem: ~Copyable {
    fileprivate let pointer: OpaquePointer

    fileprivate init(pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        heif_image_handle_release(pointer)
    }

    /// The size for display, after cropping, rotation and mirroring.
    var size: PixelSize {
        PixelSize(
            width: Int(heif_image_handle_get_width(pointer)), height: Int(heif_image_handle_get_height(pointer)))
    }

    var isPremultiplied: Bool { heif_image_handle_is_premultiplied_alpha(pointer) != 0 }

    var iccProfile: [UInt8]? {
        get throws(HeifError) {
            let size = heif_image_handle_get_raw_color_profile_size(pointer)
            guard size > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: size)
            try check(
                bytes.withUnsafeMutableBytes {
                    heif_image_handle_get_raw_color_profile(pointer, $0.baseAddress)
                })
            return bytes
        }
    }

    /// The color description of the file's `colr` box; nil if it has none.
    var color: ColorDescription? { ColorDescription(pointer, heif_image_handle_get_nclx_color_profile) }

    /// Decodes the image and applies the file's transformations.
    ///
    /// - Parameter layout: the layout to convert to; by default, libheif 1.15 converts to RGB.
    func decoded(_ layout: (space: heif_colorspace, chroma: heif_chroma)) throws(HeifError) -> HeifPixels {
        var image: OpaquePointer?
        try check(heif_decode_image(pointer, &image, layout.space, layout.chroma, nil))
        return HeifPixels(pointer: try given(image, "picture"))
    }
}

/// Owns a heif_image: decoded pixels.
struct HeifPixels: ~Copyable {
    fileprivate let pointer: OpaquePointer

    fileprivate init(pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// A picture without planes.
    init(
        _ size: PixelSize, chroma: heif_chroma, space: heif_colorspace = heif_colorspace_YCbCr
    ) throws(HeifError) {
        var image: OpaquePointer?
        try check(
            heif_image_create(Int32(clamping: size.width), Int32(clamping: size.height), space, chroma, &image))
        pointer = try given(image, "picture")
    }

    deinit {
        heif_image_release(pointer)
    }

    var space: heif_colorspace { heif_image_get_colorspace(pointer) }
    var chroma: heif_chroma { heif_image_get_chroma_format(pointer) }

    /// The color description of the coded picture or its file; nil if neither has one.
    var color: ColorDescription? { ColorDescription(pointer, heif_image_get_nclx_color_profile) }

    func size(_ channel: heif_channel) -> PixelSize {
        PixelSize(
            width: Int(heif_image_get_width(pointer, channel)), height: Int(heif_image_get_height(pointer, channel)))
    }

    func has(_ channel: heif_channel) -> Bool { heif_image_has_channel(pointer, channel) != 0 }

    func bitDepth(_ channel: heif_channel) -> Int { Int(heif_image_get_bits_per_pixel_range(pointer, channel)) }

    /// A copy of a plane's upper left part, row after row without gaps.
    ///
    /// - Parameter size: no larger than the plane.
    func plane(_ channel: heif_channel, upTo size: PixelSize) throws(HeifError) -> [UInt8] {
        guard size.width > 0, size.height > 0 else { throw HeifError("a plane of the picture has no size") }
        let rowBytes = size.width * (bitDepth(channel) > 8 ? 2 : 1)
        var stride: Int32 = 0
        let start = try given(heif_image_get_plane_readonly(pointer, channel, &stride), "plane")
        guard Int(stride) >= rowBytes else { throw HeifError("a plane's rows are shorter than its width") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rowBytes * size.height)
        for row in 0..<size.height {
            bytes.append(contentsOf: UnsafeBufferPointer(start: start + row * Int(stride), count: rowBytes))
        }
        return bytes
    }
}

extension HeifPixels {
    /// Adds a plane.
    ///
    /// - Parameter samples: row after row without gaps; above 8 bits, two bytes each.
    func add(
        _ channel: heif_channel, _ size: PixelSize, bitDepth: Int, _ samples: [UInt8]
    ) throws(HeifError) {
        let rowBytes = size.width * (bitDepth > 8 ? 2 : 1)
        guard samples.count == rowBytes * size.height, size.width > 0 else {
            throw HeifError("a plane has not as many samples as pixels")
        }
        try check(
            heif_image_add_plane(
                pointer, channel, Int32(clamping: size.width), Int32(clamping: size.height),
                Int32(clamping: bitDepth)))
        var stride: Int32 = 0
        let start = try given(heif_image_get_plane(pointer, channel, &stride), "plane")
        samples.withUnsafeBufferPointer { samples in
            for row in 0..<size.height {
                let line = UnsafeBufferPointer(rebasing: samples[row * rowBytes..<(row + 1) * rowBytes])
                _ = UnsafeMutableBufferPointer(start: start + row * Int(stride), count: rowBytes)
                    .update(fromContentsOf: line)
            }
        }
    }

    func setColor(_ color: ColorDescription) throws(HeifError) {
        let profile = try given(heif_nclx_color_profile_alloc(), "color profile")
        defer { heif_nclx_color_profile_free(profile) }
        try check(heif_nclx_color_profile_set_color_primaries(profile, color.primaries))
        try check(heif_nclx_color_profile_set_transfer_characteristics(profile, color.transfer))
        try check(heif_nclx_color_profile_set_matrix_coefficients(profile, color.matrix))
        profile.pointee.full_range_flag = color.isFullRange ? 1 : 0
        try check(heif_image_set_nclx_color_profile(pointer, profile))
    }

    func setProfile(_ icc: [UInt8]) throws(HeifError) {
        try check(
            icc.withUnsafeBytes { heif_image_set_raw_color_profile(pointer, "prof", $0.baseAddress, $0.count) })
    }
}

/// Owns a heif_context: a file that is being made.
struct HeifFile: ~Copyable {
    private let pointer: OpaquePointer

    init() throws(HeifError) {
        pointer = try given(heif_context_alloc(), "context")
    }

    deinit {
        heif_context_free(pointer)
    }

    /// Adds an image, coded in HEVC; the first one is the primary image.
    ///
    /// - Parameters:
    ///   - quality: from 0 to 100.
    ///   - preset: of x265.
    func encode(_ pixels: consuming HeifPixels, quality: Int, preset: String) throws(HeifError) -> HeifItem {
        var found: OpaquePointer?
        try check(heif_context_get_encoder_for_format(pointer, heif_compression_HEVC, &found))
        let encoder = try given(found, "encoder")
        defer { heif_encoder_release(encoder) }
        try check(heif_encoder_set_lossy_quality(encoder, Int32(clamping: quality)))
        // Another encoder than x265 has no presets.
        _ = heif_encoder_set_parameter_string(encoder, "preset", preset)
        let options = try given(heif_encoding_options_alloc(), "options")
        defer { heif_encoding_options_free(options) }
        // Otherwise, libheif writes no `colr` without an ICC profile, for an old version of macOS.
        options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
        var item: OpaquePointer?
        try check(heif_context_encode_image(pointer, pixels.pointer, encoder, options, &item))
        return HeifItem(pointer: try given(item, "image"))
    }

    func assign(thumbnail: borrowing HeifItem, to image: borrowing HeifItem) throws(HeifError) {
        try check(heif_context_assign_thumbnail(pointer, image.pointer, thumbnail.pointer))
    }

    func add(exif: [UInt8], to image: borrowing HeifItem) throws(HeifError) {
        let item = image.pointer
        try check(
            exif.withUnsafeBytes {
                heif_context_add_exif_metadata(pointer, item, $0.baseAddress, Int32(clamping: $0.count))
            })
    }

    func add(xmp: [UInt8], to image: borrowing HeifItem) throws(HeifError) {
        let item = image.pointer
        try check(
            xmp.withUnsafeBytes {
                heif_context_add_XMP_metadata(pointer, item, $0.baseAddress, Int32(clamping: $0.count))
            })
    }

    /// The contents of the file.
    func bytes() throws(HeifError) -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = heif_writer()
        writer.writer_api_version = 1
        writer.write = { _, data, size, user in
            if let data {
                user?.assumingMemoryBound(to: [UInt8].self).pointee.append(
                    contentsOf: UnsafeRawBufferPointer(start: data, count: size))
            }
            return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
        }
        let status = withUnsafeMutablePointer(to: &bytes) { heif_context_write(pointer, &writer, $0) }
        try check(status)
        return bytes
    }
}

extension ColorDescription {
    /// - Parameter read: libheif's function that allocates the profile of `owner`.
    fileprivate init?(
        _ owner: OpaquePointer,
        _ read: (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<heif_color_profile_nclx>?>) -> heif_error
    ) {
        var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
        defer { heif_nclx_color_profile_free(profile) }
        guard read(owner, &profile).code == heif_error_Ok, let nclx = profile else { return nil }
        self.init(
            primaries: UInt16(clamping: nclx.pointee.color_primaries.rawValue),
            transfer: UInt16(clamping: nclx.pointee.transfer_characteristics.rawValue),
            matrix: UInt16(clamping: nclx.pointee.matrix_coefficients.rawValue),
            isFullRange: nclx.pointee.full_range_flag != 0)
    }
}
