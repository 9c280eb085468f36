import Bytes
import Files
import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import WebServer

/// The addresses of a share, each with what it gives. Files are known by their number in the order alone.
struct ShareSite: Sendable {
    let library: SharedLibrary
    let log: FetchLog
    /// Each once, for files to save.
    let names: [String]
    /// The address with the token.
    let address: String
    let report: @Sendable (ShareEvent) -> Void

    var site: Site {
        var answers: [String: Site.Answer] = [
            "": { request in
                let device = Device(userAgent: request.field("User-Agent") ?? "")
                report(.opened(client: ShownText(request.client), device: ShownText(device.name)))
                return try await page(for: device)
            },
            SharePath.icon: { _ in Response(type: "image/svg+xml", ResponseBody(StepPictures.icon)) },
            SharePath.allBundles: { request in try await archive(nil, as: .bundles, for: request) },
            SharePath.allFiles: { request in try await archive(nil, as: .files, for: request) },
            SharePath.latest: { _ in
                let document = LatestDocument(try await library.usableItems(), at: address)
                return Response(type: "application/json", ResponseBody(try JSON.line(document)))
            },
        ]
        for device in Device.allCases { answers[SharePath.page(for: device)] = { _ in try await page(for: device) } }
        for index in names.indices {
            answers[SharePath.photo(index)] = { _ in try await library.photoResponse(index) }
            answers[SharePath.movie(index)] = { _ in try await library.movieResponse(index) }
            answers[SharePath.bundle(index)] = { request in try await archive(index, as: .bundles, for: request) }
            answers[SharePath.files(index)] = { request in try await archive(index, as: .files, for: request) }
            answers[SharePath.motionPhoto(index)] = { request in try await motionPhoto(index, for: request) }
        }
        return Site(
            answers.mapValues { answer in
                { request in
                    log.begin()
                    defer { log.end() }
                    do {
                        try await reportUnusable()
                        return try await answer(request)
                    } catch {
                        // Its words may have paths of this machine, which the client must not see.
                        if !(error is CancellationError) {
                            report(.problem(name: ShownText(request.path), reason: ShownText("\(error)")))
                        }
                        return Response(500, "This Live Photo cannot be read any more.")
                    }
                }
            })
    }

    private func page(for device: Device) async throws -> Response {
        let page = SharePage(try await library.allItems(), device)
        // Whoever opens the page is likely to fetch everything.
        Task(executorPreference: BlockingExecutor.shared, priority: .utility) { await library.prepareChecksums() }
        var response = Response(type: "text/html; charset=utf-8", ResponseBody(page.html))
        response.contentSecurityPolicy = page.policy
        return response
    }

    /// Tells once which Live Photos cannot be read, so that nobody waits until they are fetched.
    private func reportUnusable() async throws {
        for item in try await library.allItems() {
            guard case .failure(let error) = item.source, log.leaveOut(item.index) else { continue }
            report(.problem(name: ShownText(item.name), reason: ShownText(error.reason)))
        }
    }

    /// Tells once which Live Photos have changed since the page was made, and are not sent.
    private func reportChanged(besides sent: Set<Int>) async throws {
        for item in try await library.usableItems() where !sent.contains(item.index) && log.leaveOut(item.index) {
            report(.problem(name: ShownText(item.name), reason: ShownText("has changed since, and is not sent")))
        }
    }

    private func archive(_ index: Int?, as form: PairArchive.Form, for request: Request) async throws -> Response {
        let (response, items) = try await library.archiveResponse(index, as: form)
        if index == nil { try await reportChanged(besides: Set(items.map(\.index))) }
        let ending = form == .bundles ? ".pvt.zip" : ".zip"
        let name = index.map { names[$0] } ?? (names.count == 1 ? names[0] : "Live Photos")
        return followed(response, name + ending, items.map(\.index), for: request)
    }

    private func motionPhoto(_ index: Int, for request: Request) async throws -> Response {
        followed(try await library.motionPhotoResponse(index), "\(names[index]).MP.jpg", [index], for: request)
    }

    /// As a file to save, which counts as fetched when all of it was sent.
    private func followed(_ response: Response, _ name: String, _ items: [Int], for request: Request) -> Response {
        var response = response
        response.fileName = name
        if !request.isHead { response.didSend = log.follow(request, name, of: response.body.count, items: items) }
        response.didFail = { report(.problem(name: ShownText(name), reason: ShownText("\($0)"))) }
        return response
    }
}
