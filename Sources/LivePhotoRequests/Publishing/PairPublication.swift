import Bytes
package import LivePhotoKit
package import SystemPackage

/// A pair between the request for it and its place: its files are made in a hidden folder, checked, and then published.
package struct PairPublication: Sendable {
    private let request: ConversionRequest
    private let target: PublishTarget
    private let publisher: Publisher

    /// Creates the pair's two files, empty.
    ///
    /// - Parameter target: the request's.
    /// - Throws: `LivePhotoError`.
    package init(_ request: ConversionRequest, to target: PublishTarget) throws {
        self.request = request
        do {
            self.target = target
            publisher = try target.publisher()
            for path in [photo, movie] { try OutputFile.write(path) { _ in } }
        } catch let error as Errno {
            throw LivePhotoError(writing: request.outputDirectory, error)
        }
    }

    /// Where the photo is to be written.
    package var photo: FilePath { publisher.stagedPath(target.photoName) }
    /// Where the movie is to be written.
    package var movie: FilePath { publisher.stagedPath(target.movieName) }

    /// Removes what there is of the pair. It goes away with the last reference too, but a thread that is about to end may
    /// still have one when the process does.
    package func discard() { publisher.discard() }

    /// Reads both files back, holds them against what they should be, and brings them to their places.
    ///
    /// - Throws: `LivePhotoError`; then nothing is left of the pair.
    package func publish(_ plan: PlanSummary, warnings: [String]) throws -> ConversionResult {
        do {
            // The request's comes first: who made the files may be mistaken.
            let identifier = request.contentIdentifier ?? plan.contentIdentifier
            try PairCheck(
                photo: photo, movie: movie, contentIdentifier: identifier, stillTime: plan.stillTime
            ).run()
            if let date = plan.metadata.captureDate {
                for path in [photo, movie] { try FileTimes.set(path, secondsSince1970: date.secondsSince1970) }
            }
            try publisher.publish(replacing: request.replacesExisting)
            return ConversionResult(
                livePhoto: LivePhoto(photo: target.photo, movie: target.movie, contentIdentifier: identifier),
                plan: plan, warnings: warnings)
        } catch let fault as PairFault {
            throw LivePhotoError(.internalError, request.clip, "the result did not pass its check: \(fault)")
        } catch let error as Errno {
            throw LivePhotoError(writing: request.outputDirectory, error)
        }
    }
}
