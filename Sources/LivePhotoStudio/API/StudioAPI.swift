import Bytes
import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import LivePhotoShare
import SystemPackage
import WebServer

/// Answers the page's requests. Items, jobs and results are known by numbers, so no request names a file.
struct StudioAPI: Sendable {
    let items: ItemList
    let media: ClipMedia
    let maker: Maker
    let folders: FolderWork
    let reports: ReportFiles
    let phone: PhoneShare
    let uploads: Uploads
    let windows: Windows
    /// As it was written.
    let output: FilePath

    var jobs: JobList { maker.jobs }
    var results: ResultList { maker.results }

    /// - Parameter path: below `api/`.
    func answer(_ path: ArraySlice<Substring>, to request: Request) async -> Response {
        do {
            guard let answer = try await found(path, request) else {
                return Self.json(ErrorDocument(error: "there is no such address", code: "noInput"), status: 404)
            }
            return answer
        } catch {
            return Self.response(to: error)
        }
    }

    static func response(to error: any Error) -> Response {
        switch error {
        case let error as LivePhotoError:
            json(ErrorDocument(error: "\(error)", code: error.code.rawValue), status: status(of: error))
        case is DecodingError:
            json(
                ErrorDocument(error: "the request has another form than the page's", code: "invalidRequest"),
                status: 400)
        case let error as FileChanged:
            json(
                ErrorDocument(error: "\(error.path) has changed since; load the page again", code: "noInput"),
                status: 409)
        default: json(ErrorDocument(error: "\(error)", code: "internalError"), status: 500)
        }
    }

    private func found(_ path: ArraySlice<Substring>, _ request: Request) async throws -> Response? {
        let parts = path.map(String.init)
        let isPost = request.method == .post
        switch (isPost, parts.count) {
        case (false, 1): return try await overview(parts[0], request)
        case (true, 1): return try await action(parts[0], request)
        case (false, 2) where parts[0] == "results":
            guard let id = wholeNumber(parts[1]) else { return nil }
            return Self.json(try await document(of: results.result(id)))
        case (true, 2) where parts == ["phone", "stop"]:
            await phone.stop()
            return Self.json(phone.status)
        case (_, 3):
            guard let id = wholeNumber(parts[1]) else { return nil }
            switch (parts[0], isPost) {
            case ("items", false): return try await show(parts[2], of: id, request)
            case ("items", true): return try await use(parts[2], of: id, request)
            case ("results", false): return try await file(parts[2], of: results.result(id))
            case ("jobs", false) where parts[2] == "report": return try report(of: id)
            case ("jobs", true): return try await change(parts[2], job: id)
            default: return nil
            }
        default: return nil
        }
    }

    private func overview(_ name: String, _ request: Request) async throws -> Response? {
        switch name {
        case "session":
            return Self.json(
                SessionDocument(output: "\(output)", maker.presets, hasFolders: !folders.folders.isEmpty))
        case "items":
            return Self.json(
                ItemsDocument(
                    isComplete: await items.isComplete,
                    items: await items.items.filter { !$0.isGone }.map(ItemsDocument.Item.init),
                    notes: await items.notes))
        case "jobs":
            if let window = request.query["window"] { windows.note(window) }
            return Self.json(JobsDocument(jobs: jobs.all))
        case "link": return Self.json(try await folders.linkPlan())
        case "import": return Self.json(try await folders.importPlan())
        case "phone": return Self.json(phone.status)
        default: return nil
        }
    }

    private struct BatchBody: Decodable {
        let items: [Int]
        let preset: String?
        let flags: [StudioChoice.Flag]?
    }

    private struct PhoneBody: Decodable { let results: [Int] }

    private func action(_ name: String, _ request: Request) async throws -> Response? {
        switch name {
        case "uploads": return try await upload(request)
        case "batch":
            let body: BatchBody = try Self.decoded(request)
            var choice = StudioChoice()
            (choice.preset, choice.flags) = (body.preset, Set(body.flags ?? []))
            var chosen: [StudioItem] = []
            for id in body.items { chosen.append(try await items.item(id)) }
            return Self.json(JobDocument(job: try await maker.makeAll(chosen, choice, reports: reports)))
        case "link": return Self.json(JobDocument(job: try await folders.link()))
        case "phone":
            let body: PhoneBody = try Self.decoded(request)
            return Self.json(await phone.start(try body.results.map(results.result)))
        case "leave":
            if let window = request.query["window"] { windows.close(window) }
            return Self.json([String: String]())
        default: return nil
        }
    }

    private func upload(_ request: Request) async throws -> Response {
        guard case .file(let file, let count) = request.body else {
            throw LivePhotoError(.invalidRequest, nil, "the request has no file")
        }
        let name = request.query["name"] ?? ""
        let path = try uploads.keep(file, count: count, named: name, group: request.query["group"])
        return Self.json(ItemsDocument.Item(await items.add(upload: path, named: name)))
    }

    private func change(_ action: String, job id: Int) async throws -> Response? {
        switch action {
        case "cancel":
            jobs.cancel(id)
            return Self.json([String: String]())
        case "undo":
            guard let job = jobs.job(id), job.canUndo else {
                throw LivePhotoError(.invalidRequest, nil, "job \(id) has changed nothing that can be undone")
            }
            return Self.json(NoteDocument(note: try await undo(job)))
        default: return nil
        }
    }

    /// Restores the Live Photos that a job has changed. Earlier edits of them are undone too, as `undo` does.
    ///
    /// - Returns: what was undone, one sentence.
    private func undo(_ job: StudioJob) async throws -> String {
        var (restored, refusal): (Set<FilePath>, LivePhotoError?) = ([], nil)
        for photo in jobs.changed(by: job.id) {
            do throws(LivePhotoError) {
                let outcomes = try await InPlaceUndo(of: [job.kind == .link ? .link : .edit]).undo(pairOf: photo)
                for outcome in outcomes { if case .refused(let error) = outcome.status { throw error } }
                restored.insert(photo)
            } catch {
                refusal = error
            }
        }
        let note = "\(counted(restored.count, "Live Photo")) restored to the files before all changes in place"
        jobs.noteUndone(restored, by: job.id, note)
        for item in await items.items where item.path.map(restored.contains) ?? false { await media.forget(item.id) }
        await items.search()
        if let refusal { throw refusal }
        return note
    }

    private func report(of job: Int) throws -> Response {
        var response = Response(type: "text/html; charset=utf-8", file: try reports.read(job))
        // Without its scripts, which play movies from files.
        response.contentSecurityPolicy =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
        return response
    }

    /// Ends everything that is being made.
    func stop() async {
        await items.stop()
        await jobs.stop()
        await phone.stop(isLast: true)
        await media.stop()
        await results.stop()
    }

    // MARK: Answers

    static func json(_ document: some Encodable, status: Int = 200) -> Response {
        guard let text = try? JSON.text(document) else { return Response(500, "The answer cannot be written.") }
        return Response(status, type: "application/json", ResponseBody(text))
    }

    static func decoded<Value: Decodable>(_ request: Request) throws -> Value {
        guard case .bytes(let bytes) = request.body else {
            throw LivePhotoError(.invalidRequest, nil, "the request has no data")
        }
        return try JSON.decode(Value.self, from: bytes)
    }

    private static func status(of error: LivePhotoError) -> Int {
        switch error.code.general {
        case .noInput: 404
        case .outputExists: 409
        case .invalidRequest, .unusableMedia, .cannotCreateOutput: 422
        case .temporary, .missingLibrary: 503
        default: 500
        }
    }
}
