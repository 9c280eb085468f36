extension MediaEngine {
    /// What an export would write: reads the headers of the movie and its packet times, or of the photo.
    ///
    /// - Parameter request: the files, the format and the settings.
    /// - Throws: `LivePhotoError`.
    public func planExport(_ request: ExportRequest) async throws -> ExportResult {
        try request.check()
        guard request.format != .jpeg || request.motion.effect == .longExposure else {
            let size = try await BlockingWork.run { _ in try request.photoSize() }
            return ExportResult(
                output: request.output, format: request.format, size: size, frames: 1, duration: .zero, bytes: nil,
                warnings: [])
        }
        let plan = try await perform(
            .planFrames(request.clipWork(), request.format, loops: request.loops), result: \.plan)
        return ExportResult(
            output: request.output, format: request.format, size: plan.movieSize,
            frames: request.format == .jpeg ? 1 : plan.frameCount,
            duration: request.format == .jpeg ? .zero : plan.duration, bytes: nil, warnings: plan.warnings)
    }

    /// Writes a Live Photo as another kind of file, which appears only when it is complete and has been checked.
    ///
    /// - Parameters:
    ///   - request: the files, the format and the settings.
    ///   - progress: called at most ten times a second.
    /// - Throws: `LivePhotoError`; with the code `missingLibrary` if FFmpeg has no encoder for the format.
    public func export(
        _ request: ExportRequest, progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> ExportResult {
        let publication = try await BlockingWork.run { _ in
            try request.check()
            try request.checkOutput()
            return try ExportPublication(request)
        }
        do {
            let media = try await encode(request, to: publication.encoded, progress)
            return try await BlockingWork.run { cancellation in
                try cancellation.check()
                return try publication.publish(media)
            }
        } catch {
            await BlockingWork.cleanUp { publication.discard() }
            throw error
        }
    }

    private func encode(
        _ request: ExportRequest, to output: FilePath, _ progress: @escaping Progress
    ) async throws -> EncodedExport {
        let photo = request.openedPhoto ?? request.photo
        switch request.format {
        case .mp4:
            let movie = try await perform(.movie(request.clipWork()), into: [output], progress, result: \.movie)
            let plan = movie.plan
            // The movie is worth having without its cover, which some formats of photos cannot give.
            let cover = try? await thumbnail(of: photo, edge: ExportPublication.coverEdge, quality: 85)
            let media = ExportedMedia(
                size: plan.movieSize, frames: plan.frameCount, duration: plan.duration,
                warnings: movie.warnings + (cover == nil ? ["the photo cannot be decoded; the movie has no cover"] : [])
            )
            return .movie(media, cover: cover?.jpeg)
        case .jpeg where request.motion.effect != .longExposure:
            guard try await BlockingWork.run({ _ in try !request.keepsPhoto() }) else { return .copiedPhoto }
            try await perform(
                .jpeg(photo: photo, quality: request.photoQuality, maximum: request.maximumSize), into: [output],
                result: \.jpeg)
            return .photo
        case .jpeg, .gif, .webp, .avif, .frames:
            let media = try await perform(
                .frames(request.clipWork(), request.format, loops: request.loops), into: [output], progress,
                result: \.frames)
            return request.format == .jpeg ? .photo : .frames(media)
        }
    }
}
