/// What a server offers: a list of answers by their paths, made before it listens, or a function that answers every request that
/// has been let in. No path becomes that of a file.
package struct Site: Sendable {
    /// Makes the answer to one request. What it throws becomes status 500.
    package typealias Answer = @Sendable (Request) async throws -> Response

    private enum Content {
        case list([String: Answer])
        case function(Answer)
    }

    private let content: Content
    /// Decides by its header what to do with the data of a request.
    let accept: @Sendable (Request) async throws -> AcceptedBody
    /// Makes the answer to a request that the server cannot give to the site.
    let refusal: @Sendable (_ status: Int, _ sentence: String) -> Response

    /// A site that is only read.
    ///
    /// - Parameter answers: By paths below the root, such as `all.pvt.zip`; that of the first page is empty.
    package init(_ answers: [String: Answer]) {
        content = .list(answers)
        accept = { _ in .refused(Response(413, Connection.noData)) }
        refusal = { Response($0, $1) }
    }

    /// A site that takes queries and data, and whose answers are cancelled when their clients leave: what has to go on needs a task
    /// of its own.
    ///
    /// - Parameters:
    ///   - accept: Called before the data of a POST or PUT request is read, with a request that has no body yet.
    ///   - refusal: Makes the answers to malformed requests and to data that is too large or cannot be written.
    ///   - answer: Called once for each complete request.
    package init(
        accept: @escaping @Sendable (Request) async throws -> AcceptedBody = { _ in .small },
        refusal: @escaping @Sendable (_ status: Int, _ sentence: String) -> Response = { Response($0, $1) },
        answer: @escaping Answer
    ) {
        (content, self.accept, self.refusal) = (.function(answer), accept, refusal)
    }

    /// Whether requests may have queries and data, and are cancelled with their connections.
    var isFunction: Bool {
        switch content {
        case .list: false
        case .function: true
        }
    }

    func answer(to request: Request) async throws -> Response {
        switch content {
        case .list(let answers):
            guard let answer = answers[request.path] else {
                return Response(404, "There is no such page or file here.")
            }
            return try await answer(request)
        case .function(let answer): return try await answer(request)
        }
    }
}
