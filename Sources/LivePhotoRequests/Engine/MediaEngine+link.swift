public import LivePhotoKit

extension MediaEngine {
    /// Chooses still times for `FolderLinker` and `LibraryImport`, which say when to search for the photo.
    package func stillChooser(_ choice: StillChoice = StillChoice()) -> FolderLinker.ChooseStill {
        { photo, movie, search throws(LivePhotoError) in
            var choice = choice
            choice.search = search
            return try await stillMoment(of: photo, in: movie, choice)
        }
    }

    /// Reads a photo and a movie to link, and chooses the still time.
    ///
    /// - Returns: The files, which were read, and the still time.
    /// - Throws: `LivePhotoError`.
    package func read(_ request: LinkRequest) async throws -> (source: LinkSource, moment: StillMoment) {
        // Looking for the photo in the movie takes long, so what cannot be linked is an error before.
        let source = try await BlockingWork.run { _ in
            try request.linker.read(photo: request.photo, movie: request.movie)
        }
        var choice = StillChoice(still: request.still, search: request.search)
        choice.stillText = request.stillText
        return (source, try await stillMoment(of: request.photo, in: request.movie, source.moments, choice))
    }

    /// Chooses the still time, and links a photo and a movie.
    ///
    /// - Throws: `LivePhotoError`.
    package func link(
        _ request: LinkRequest
    ) async throws -> (result: LivePhotoLinker.Result, moment: StillMoment) {
        let (source, moment) = try await read(request)
        return (try await request.link(source, moment), moment)
    }

    /// Chooses the still time for linking a photo and a movie. Decodes the movie only if it has to search for the photo.
    ///
    /// - Parameters:
    ///   - photo: the key photo.
    ///   - movie: the paired video.
    ///   - choice: where to look for the still time.
    /// - Throws: `LivePhotoError` for a movie without frames or that ends before `still`, and with `.always` also for
    ///   files that cannot be decoded.
    public func stillMoment(
        of photo: FilePath, in movie: FilePath, _ choice: StillChoice = StillChoice()
    ) async throws(LivePhotoError) -> StillMoment {
        let moments: MovieMoments
        do {
            moments = try await BlockingWork.run { _ in try MovieMoments(of: movie) }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: movie, error)
        }
        return try await stillMoment(of: photo, in: movie, moments, choice)
    }

    private func stillMoment(
        of photo: FilePath, in movie: FilePath, _ moments: MovieMoments, _ choice: StillChoice
    ) async throws(LivePhotoError) -> StillMoment {
        if let still = choice.still {
            return StillMoment(time: try moments.still(at: still, choice.stillText, of: movie), source: .request)
        }
        if let recorded = moments.ownStill, choice.search != .always {
            return StillMoment(time: recorded, source: .movie)
        }
        if choice.search == .never {
            guard let fallback = choice.fallback else {
                return StillMoment(time: moments.still(at: nil), source: .middle)
            }
            return StillMoment(time: try moments.frame(at: fallback, choice.stillText, of: movie), source: .request)
        }
        let reason: String
        do throws(LivePhotoError) {
            let match = try await findStill(of: photo, in: movie)
            if match.similarity >= StillMatch.certainty {
                return StillMoment(
                    time: moments.frame(nearest: match.stillTime), source: .photo(similarity: match.similarity))
            }
            let similarity = (match.similarity * 100).rounded() / 100
            reason = "no frame of the movie is like the photo (at most \(similarity), at \(match.stillTime))"
        } catch {
            // A failed comparison is an error only if the comparison was asked for.
            if choice.search == .always || error.code != .unusableMedia { throw error }
            reason = "the photo was not looked for in the movie: \(error.reason)"
        }
        if moments.still == nil, let fallback = choice.fallback {
            return StillMoment(time: try moments.frame(at: fallback, choice.stillText, of: movie), source: .request)
        }
        return StillMoment(time: moments.still(at: nil), source: .guess(reason: reason))
    }
}
