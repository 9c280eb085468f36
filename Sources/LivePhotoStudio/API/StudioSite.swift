import LivePhotoKit
import LivePhotoRequests
import WebServer

/// The addresses of the studio: the page, its files, and what the page asks for.
struct StudioSite: Sendable {
    let api: StudioAPI
    let report: @Sendable (StudioEvent) -> Void

    var site: Site {
        Site { request in
            try accept(request)
        } refusal: { status, sentence in
            StudioAPI.json(ErrorDocument(error: sentence, code: "invalidRequest"), status: status)
        } answer: { request in
            // Most answers read files.
            await withTaskExecutorPreference(BlockingExecutor.shared) { await answer(request) }
        }
    }

    private func answer(_ request: Request) async -> Response {
        guard Self.methods.contains(request.method) else { return Self.otherMethod }
        let path = request.path.split(separator: "/", omittingEmptySubsequences: false)
        switch (path.first, path.count) {
        case ("", 1):
            report(.opened)
            return PageFiles.index
        case ("page", 2): return PageFiles.file(String(path[1])) ?? Response(404, "There is no such file.")
        case ("api", 2...): return await api.answer(path.dropFirst(), to: request)
        default: return Response(404, "There is no such page.")
        }
    }

    private static let methods: [Request.Method] = [.get, .head, .post]

    private static var otherMethod: Response {
        var response = Response(405, "This page does not use this method.")
        response.fields = [("Allow", "GET, HEAD, POST")]
        return response
    }

    /// Files are written while they come; everything else is small.
    private func accept(_ request: Request) throws -> AcceptedBody {
        guard Self.methods.contains(request.method) else { return .refused(Self.otherMethod) }
        guard request.path == Self.uploads else { return .small }
        do {
            let size = request.field("Content-Length").flatMap { wholeNumber($0) }
            return .upload(try api.uploads.accept(named: request.query["name"] ?? "", size: size))
        } catch {
            return .refused(StudioAPI.response(to: error))
        }
    }

    private static let uploads = "api/uploads"
}
