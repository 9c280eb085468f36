import LivePhotoKit
public import SystemPackage

extension MediaEngine {
    /// Makes a thumbnail of a photo.
    ///
    /// - Parameters:
    ///   - photo: the photo, which is turned upright.
    ///   - edge: the maximum length of an edge in pixels, from 16 to 8192; smaller photos keep their size.
    ///   - quality: from 1 to 100, as in `PhotoQuality`.
    public func thumbnail(of photo: FilePath, edge: Int, quality: Int) async throws(LivePhotoError) -> Thumbnail {
        try await only(photo, edge, quality, .photo).get()
    }

    /// Makes thumbnails of photos, many in one process. If a photo ends the process, each photo gets its own.
    ///
    /// - Parameters:
    ///   - photos: at most `Work.mostThumbnails`. They are turned upright.
    ///   - edge: the maximum length of an edge in pixels, from 16 to 8192; smaller photos keep their size.
    ///   - quality: from 1 to 100, as in `PhotoQuality`.
    ///   - source: which picture of the file is shown.
    /// - Returns: a result for each photo.
    package func thumbnails(
        of photos: [FilePath], edge: Int, quality: Int, from source: ThumbnailSource
    ) async -> [Result<Thumbnail, LivePhotoError>] {
        guard photos.count > 1 else {
            var results: [Result<Thumbnail, LivePhotoError>] = []
            for photo in photos { results.append(await only(photo, edge, quality, source)) }
            return results
        }
        let made: [Result<Thumbnail, LivePhotoError>]
        do throws(LivePhotoError) {
            made = try await together(photos, edge, quality, source)
        } catch {
            if [.cancelled, .missingLibrary].contains(error.code.general) {
                return photos.map { _ in .failure(error) }
            }
            made = photos.map { _ in .failure(LivePhotoError(.temporary, nil, error.reason)) }
        }
        var results: [Result<Thumbnail, LivePhotoError>] = []
        for (photo, result) in zip(photos, made) {
            // In a process of its own, it may have enough time and memory.
            if case .failure(let error) = result, error.code.general == .temporary {
                results.append(await only(photo, edge, quality, source))
            } else {
                results.append(result)
            }
        }
        return results
    }

    private func only(
        _ photo: FilePath, _ edge: Int, _ quality: Int, _ source: ThumbnailSource
    ) async -> Result<Thumbnail, LivePhotoError> {
        do throws(LivePhotoError) {
            return try await together([photo], edge, quality, source)[0]
        } catch {
            return .failure(error)
        }
    }

    /// - Returns: as many results as photos.
    private func together(
        _ photos: [FilePath], _ edge: Int, _ quality: Int, _ source: ThumbnailSource
    ) async throws(LivePhotoError) -> [Result<Thumbnail, LivePhotoError>] {
        let work = Work.thumbnails(photos: photos, edge: edge, quality: quality, source)
        let outcomes = try await value(of: work, \.thumbnails)
        guard outcomes.count == photos.count else {
            throw LivePhotoError(.internalError, nil, "livephoto-media answered with another number of thumbnails")
        }
        return zip(photos, outcomes).map { $1.result(of: $0) }
    }
}
