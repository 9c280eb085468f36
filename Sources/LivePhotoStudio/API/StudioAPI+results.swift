import Bytes
import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import LivePhotoShare
import SystemPackage
import WebServer

extension StudioAPI {
    func document(of result: StudioResult) async throws -> ResultDocument {
        try results.prepare(result.id)
        let facts = try await result.library.item(0).source.get().facts
        return ResultDocument(
            id: result.id, name: result.name, photo: "\(result.pair.photo)", movie: "\(result.pair.movie)",
            command: result.command, width: facts.photo.size.width, height: facts.photo.size.height,
            movieWidth: facts.movie.size?.width, movieHeight: facts.movie.size?.height,
            hasSound: facts.movie.hasSound, stillSeconds: facts.stillTime?.seconds,
            seconds: facts.movie.duration.seconds,
            findings: facts.findings.map {
                ResultDocument.Finding(severity: $0.severity.rawValue, text: $0.message)
            })
    }

    /// A result in one of the forms that are shown or saved.
    func file(_ form: String, of result: StudioResult) async throws -> Response? {
        let library = result.library
        try results.prepare(result.id)
        switch form {
        case "photo":
            return try await shown(library.shownPhoto(0), "image/jpeg", result) { $0.photo }
        case "movie":
            return try await shown(library.shownMovie(0), "video/mp4", result) { $0.movie }
        case "files.zip": return saved(try await library.archive(0, as: .files), "\(result.name).zip")
        case "bundle.pvt.zip": return saved(try await library.archive(0, as: .bundles), "\(result.name).pvt.zip")
        case "motion.jpg":
            var body = ResponseBody()
            body.append(try await library.motionPhoto(0))
            var response = Response(type: "image/jpeg", body)
            response.fileName = "\(result.name).MP.jpg"
            return response
        case "animation.gif":
            let file = try await results.animation(of: result.id)
            var body = ResponseBody()
            body.append(0..<file.size) { file }
            var response = Response(type: "image/gif", body)
            response.fileName = "\(result.name).gif"
            return response
        default: return nil
        }
    }

    private func saved(_ archive: SharedArchive, _ name: String) -> Response {
        var response = Response(type: "application/zip", archive.body)
        (response.entityTag, response.fileName) = (archive.entityTag, name)
        return response
    }

    /// - Parameter original: the file, if it is shown as it is.
    private func shown(
        _ media: PreviewMedia, _ type: String, _ result: StudioResult, _ original: (SharedLibrary.Source) -> KnownFile
    ) async throws -> Response {
        let source = try await result.library.item(0).source.get()
        try source.checkUnchanged()
        var response = Response(type: type, media.body(of: original(source)))
        response.entityTag = source.entityTag
        return response
    }
}
