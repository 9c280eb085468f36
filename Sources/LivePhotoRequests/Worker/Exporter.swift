import LivePhotoKit

/// What an export needs of an engine. Each output file exists and is empty.
package protocol ExportEncoder: Sendable {
    /// Plans an export of the movie.
    ///
    /// - Throws: `LivePhotoError`; with the code `missingLibrary` if the format cannot be written so.
    func planMovie(_ request: ConversionRequest, as format: ExportFormat, loops: Int) async throws -> PlanSummary

    /// Writes a Live Photo's movie; `photo` is not needed afterwards.
    func encodeMovie(
        _ request: ConversionRequest, photo: FilePath, movie: FilePath,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> (plan: PlanSummary, warnings: [String])

    /// Writes an animation, or the JPEGs of all frames one after another.
    ///
    /// - Parameter loops: how often an animation plays; 0 is forever.
    func encodeFrames(
        of request: ConversionRequest, as format: ExportFormat, loops: Int, to output: FilePath,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ExportedMedia

    /// Writes an upright JPEG.
    ///
    /// - Parameter maximum: nil keeps the size.
    func encodePhoto(
        _ photo: FilePath, to output: FilePath, quality: Int, maximum: MaximumSize?
    ) async throws(LivePhotoError)

    func thumbnail(of photo: FilePath, edge: Int, quality: Int) async throws(LivePhotoError) -> Thumbnail
}

extension ExportEncoder {
    /// `MediaEngine.planExport`.
    package func planned(_ request: ExportRequest) async throws -> ExportResult {
        try request.check()
        guard request.format != .jpeg || request.motion.effect == .longExposure else {
            let size = try await BlockingWork.run { _ in try request.photoSize() }
            return ExportResult(
                output: request.output, format: request.format, size: size, frames: 1, duration: .zero, bytes: nil,
                warnings: [])
        }
        let plan = try await planMovie(request.conversion(), as: request.format, loops: request.loops)
        return ExportResult(
            output: request.output, format: request.format, size: plan.movieSize,
            frames: request.format == .jpeg ? 1 : plan.frameCount,
            duration: request.format == .jpeg ? .zero : plan.duration, bytes: nil, warnings: plan.warnings)
    }

    /// `MediaEngine.export`.
    package func exported(
        _ request: ExportRequest, progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ExportResult {
        let publication = try await BlockingWork.run { _ in
            try request.check()
            try request.checkOutput()
            return try ExportPublication(request)
        }
        do {
            let media = try await encode(request, into: publication, progress)
            return try await BlockingWork.run { cancellation in
                try cancellation.check()
                return try publication.publish(media)
            }
        } catch {
            publication.discard()
            throw error
        }
    }

    private func encode(
        _ request: ExportRequest, into publication: ExportPublication,
        _ progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> EncodedExport {
        let photo = request.openedPhoto ?? request.photo
        switch request.format {
        case .mp4:
            let made = try await encodeMovie(
                request.conversion(), photo: publication.scratchPhoto, movie: publication.encoded, progress: progress)
            // The movie is worth having without its cover, which some formats of photos cannot give.
            let cover = try? await thumbnail(of: photo, edge: ExportPublication.coverEdge, quality: 85)
            let media = ExportedMedia(
                size: made.plan.movieSize, frames: made.plan.frameCount, duration: made.plan.duration,
                warnings: made.warnings + (cover == nil ? ["the photo cannot be decoded; the movie has no cover"] : []))
            return .movie(media, cover: cover?.jpeg)
        case .jpeg where request.motion.effect == .longExposure:
            _ = try await encodeFrames(
                of: request.conversion(), as: .jpeg, loops: 0, to: publication.encoded, progress: progress)
            return .photo
        case .gif, .webp, .avif, .frames:
            return .frames(
                try await encodeFrames(
                    of: request.conversion(), as: request.format, loops: request.loops, to: publication.encoded,
                    progress: progress))
        case .jpeg:
            guard try await BlockingWork.run({ _ in try !request.keepsPhoto() }) else { return .copiedPhoto }
            try await encodePhoto(
                photo, to: publication.encoded, quality: request.photoQuality, maximum: request.maximumSize)
            return .photo
        }
    }
}
