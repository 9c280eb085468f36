import Bytes
package import LivePhotoKit
package import SystemPackage

/// The output of a conversion: two files that are made, checked and then published.
package struct PairPublication: Sendable {
    private let request: ConversionRequest
    private let target: PublishTarget
    private let output: Output
    /// For a pair that is edited in place.
    private let replacement: PairReplacement?
    /// The warnings that this pair deserves already, such as one about the name of a file, which it keeps.
    private let oldWarnings: Set<Rule>
    /// The movie of an edit that keeps it; nil for a movie that is encoded.
    private let keptMovie: EditedMovie?

    private enum Output {
        case unnamed(UnnamedPair)
        /// Where the file system has no files without names.
        case staged(Publisher)
    }

    /// Creates two empty files. A pair that is edited in place is locked from now on.
    ///
    /// - Throws: `LivePhotoError`.
    package init(_ request: ConversionRequest, to target: PublishTarget) throws {
        self.request = request
        do {
            self.target = target
            replacement = try request.replacement(to: target)
            oldWarnings = try replacement == nil ? [] : request.warningsOfPair()
            keptMovie = try request.work.keepsMovie ? request.editedMovie() : nil
            if let pair = try UnnamedPair(for: target) {
                output = .unnamed(pair)
            } else {
                let publisher = try target.publisher()
                for name in [target.photoName, target.movieName] { try publisher.write(name) { _ in } }
                output = .staged(publisher)
            }
        } catch let error as Errno {
            throw LivePhotoError(writing: request.outputDirectory, error)
        }
    }

    /// Where to write the photo and the movie.
    package var files: [FilePath] {
        switch output {
        case .unnamed(let pair): [pair.photo, pair.movie]
        case .staged(let publisher): [target.photoName, target.movieName].map { publisher.stagedPath($0) }
        }
    }

    /// Removes the files. Freeing the last reference also does this, but another thread may hold one when the process ends.
    package func discard() {
        if case .staged(let publisher) = output { publisher.discard() }
    }

    /// Reads both files, checks them against the plan and moves them to their destination.
    ///
    /// - Throws: `LivePhotoError`, after removing the files.
    package func publish(_ plan: PlanSummary, warnings: [String]) throws -> ConversionResult {
        do {
            guard let identifier = request.contentIdentifier else {
                throw LivePhotoError(.internalError, request.clip, "has no content identifier")
            }
            let publisher = try publisher()
            let (photo, movie) = (publisher.stagedPath(target.photoName), publisher.stagedPath(target.movieName))
            try completeAndCheck(photo, movie, identifier, plan)
            if let date = plan.metadata.captureDate, replacement == nil {
                let seconds = LocalTimeZone.secondsSince1970(date)
                for path in [photo, movie] { try FileTimes.set(path, secondsSince1970: seconds) }
            }
            switch (replacement, keptMovie) {
            case (let replacement?, let keptMovie?):
                try replacement.replace(photo: photo, name: target.photoName, movie: keptMovie)
                publisher.discard()
            case (let replacement?, nil):
                try replacement.replace(photo: photo, name: target.photoName, movie: movie)
                publisher.discard()
            case (nil, _):
                try publisher.publish(replacing: request.replacesExisting)
            }
            let size = Int(try target.photo.stat().size + target.movie.stat().size)
            let livePhoto = LivePhoto(photo: target.photo, movie: target.movie, contentIdentifier: identifier)
            let adjustments = request.adjustmentData(beside: target.photo)
            let problem = adjustments?.stored(
                with: livePhoto, noting: request.journals, replacing: request.replacesExisting)
            return ConversionResult(
                livePhoto: livePhoto, plan: plan, size: size, warnings: warnings + [problem].compactMap(\.self),
                adjustments: problem == nil ? adjustments?.path : nil)
        } catch let fault as PairFault {
            throw LivePhotoError(.internalError, request.clip, "the result did not pass its check: \(fault)")
        } catch let error as Errno {
            throw LivePhotoError(writing: request.outputDirectory, error)
        }
    }
}

extension PairPublication {
    private func publisher() throws(LivePhotoError) -> Publisher {
        switch output {
        case .unnamed(let pair): try pair.publisher()
        case .staged(let publisher): publisher
        }
    }

    /// Writes a movie that was not encoded and checks both staged files. A movie that is changed in place is checked later.
    ///
    /// - Throws: `PairFault`; `LivePhotoError`; `Errno`.
    private func completeAndCheck(
        _ photo: FilePath, _ movie: FilePath, _ identifier: ContentIdentifier, _ plan: PlanSummary
    ) throws {
        guard let keptMovie else {
            return try PairCheck(
                photo: photo, movie: movie, contentIdentifier: identifier, stillTime: plan.stillTime,
                allowing: oldWarnings
            ).run()
        }
        guard replacement == nil else { return }
        try keptMovie.write(to: movie)
        try keptMovie.check(photo: photo, movie: movie)
    }
}

extension ConversionRequest {
    /// The lock and the journal for an edit in place; nil for any other conversion.
    fileprivate func replacement(to target: PublishTarget) throws(LivePhotoError) -> PairReplacement? {
        guard let journals, let photo else { return nil }
        return try PairReplacement(photo: photo, movie: clip, newPhoto: target.photoName, journals)
    }

    /// The rules of the warnings of the pair that is edited.
    fileprivate func warningsOfPair() throws(LivePhotoError) -> Set<Rule> {
        guard let photo else { return [] }
        return try LivePhotoVerifier().verify(photo: photo, movie: clip).findings.warnedRules
    }
}
