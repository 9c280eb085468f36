import Bytes
import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import LivePhotoShare
import SystemPackage
import WebServer

extension StudioAPI {
    func document(of result: StudioResult) async throws -> ResultDocument {
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
        var response: Response
        switch form {
        case "photo": return try await library.photoResponse(0)
        case "movie": return try await library.movieResponse(0)
        case "files.zip": response = try await library.archiveResponse(0, as: .files).response
        case "bundle.pvt.zip": response = try await library.archiveResponse(0, as: .bundles).response
        case "motion.jpg": response = try await library.motionPhotoResponse(0)
        case "animation.gif":
            let file = try await results.animation(of: result.id)
            response = Response(type: "image/gif", file: file)
        default: return nil
        }
        response.fileName = result.name + (Self.endings[form] ?? "")
        return response
    }

    /// The ends of the names under which forms are saved.
    private static let endings = [
        "files.zip": ".zip", "bundle.pvt.zip": ".pvt.zip", "motion.jpg": ".MP.jpg", "animation.gif": ".gif",
    ]
}
