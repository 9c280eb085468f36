import Bytes
import LivePhotoBatch
package import LivePhotoKit
package import WebServer

// Live Photos as responses, which are known again while the files are as they were.
extension SharedLibrary {
    /// - Parameter index: of the item; nil for all that can be read and have not changed since.
    /// - Returns: also the items in the archive.
    package func archiveResponse(
        _ index: Int?, as form: PairArchive.Form
    ) async throws -> (response: Response, items: [Item]) {
        var items = if let index { [try await item(index)] } else { try await usableItems() }
        let count = items.count
        if index != nil {
            for item in items { try item.source.get().checkUnchanged() }
        } else {
            // One that has changed must not keep the others from being sent.
            let first = items.first
            items = items.filter { (try? $0.source.get().checkUnchanged()) != nil }
            if items.isEmpty { try first?.source.get().checkUnchanged() }
        }
        let archive = try await items.count == count ? archive(index, as: form) : archive(of: items, as: form)
        var response = Response(type: "application/zip", archive.body)
        response.entityTag = archive.entityTag
        return (response, items)
    }

    /// A JPEG that Android's galleries play.
    package func motionPhotoResponse(_ index: Int) async throws -> Response {
        let pieces = try await motionPhoto(index)
        var body = ResponseBody()
        body.append(pieces)
        return try await response("image/jpeg", body, of: index)
    }

    /// What every browser shows.
    package func photoResponse(_ index: Int) async throws -> Response {
        let (media, source) = (try await shownPhoto(index), try await item(index).source.get())
        return try await response("image/jpeg", media.body(of: source.photo), of: index)
    }

    /// What every browser plays.
    package func movieResponse(_ index: Int) async throws -> Response {
        let (media, source) = (try await shownMovie(index), try await item(index).source.get())
        return try await response("video/mp4", media.body(of: source.movie), of: index)
    }

    private func response(_ type: String, _ body: ResponseBody, of index: Int) async throws -> Response {
        let source = try await item(index).source.get()
        try source.checkUnchanged()
        var response = Response(type: type, body)
        response.entityTag = source.entityTag
        return response
    }
}

extension PreviewMedia {
    /// What is sent of it.
    ///
    /// - Parameter original: the file, if it is shown as it is.
    fileprivate func body(of original: KnownFile) -> ResponseBody {
        var body = ResponseBody()
        switch self {
        case .bytes(let bytes): body.append(bytes)
        case .file(let file): body.append(0..<file.size) { file }
        case .linked: body.append(0..<original.size) { try original.open() }
        }
        return body
    }
}
