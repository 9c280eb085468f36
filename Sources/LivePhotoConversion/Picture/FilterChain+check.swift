import FFmpegKit
import LivePhotoKit
package import LivePhotoRequests
package import MediaModel

extension FilterChain {
    /// Checks that libavfilter takes the filters with their options, and that they keep the picture's size.
    ///
    /// - Parameters:
    ///   - size: of the picture.
    ///   - clip: for errors.
    /// - Throws: `LivePhotoError` with one sentence that names the chain and the filter.
    package func check(for size: PixelSize, _ clip: FilePath) throws(LivePhotoError) {
        for filter in filters {
            let result: PixelSize
            let name = filter.kind.name
            let isRGB = filter.layout == .rgb
            do {
                result = try FilterGraph.outputSize(
                    of: filter.libavFilters.joined(separator: ","), for: size,
                    format: filter.layout.format ?? "yuv444p",
                    ColorDescription(primaries: 1, transfer: 1, matrix: isRGB ? 0 : 1, isFullRange: isRGB))
            } catch {
                throw refusal(Self.reason(error, name), error, clip)
            }
            guard result == size else {
                throw refusal(
                    "\(name) makes a picture of \(result) of one of \(size); use options that keep the size", nil, clip)
            }
        }
    }

    private static func reason(_ error: LibavError, _ name: String) -> String {
        if !LibavVersions.hasFilter(name) { return "the installed FFmpeg has no filter \(name); leave it out" }
        if error.isOutOfMemory { return "\(name) needs too much memory; use smaller values" }
        // `Parsed_eq_0: Option 'contrst' not found`
        let line = error.firstLogLine ?? error.reason
        let reason = line.firstRange(of: ": ").map { line[$0.upperBound...] } ?? line[...]
        return "libavfilter rejects \(name) (\(reason)); correct its options"
    }

    private func refusal(_ reason: String, _ cause: LibavError?, _ clip: FilePath) -> LivePhotoError {
        LivePhotoError(
            .invalidRequest, clip, "the filter chain \(quoted(description)) cannot be used: \(printable(reason))",
            cause: cause)
    }
}
