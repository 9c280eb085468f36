/// What a server offers: a list of answers by their paths, made before it listens. Nothing else can be asked for, and no path
/// becomes that of a file.
package struct Site: Sendable {
    package typealias Answer = @Sendable (Request) async throws -> Response

    /// By paths below the root, such as `all.pvt.zip`; that of the first page is empty.
    private let answers: [String: Answer]

    package init(_ answers: [String: Answer]) { self.answers = answers }

    func answer(to request: Request) async throws -> Response {
        guard let answer = answers[request.path] else { return Response(404, "There is no such page or file here.") }
        return try await answer(request)
    }
}
