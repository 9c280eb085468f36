import LivePhotoBatch
import LivePhotoKit
package import LivePhotoRequests
import LivePhotoWorker
import SystemPackage
import WebServer

/// Serves the studio's page on this machine alone.
package enum StudioServer {
    private static let interval = Duration.milliseconds(500)

    /// Serves until the last window was closed for the time of the order, or the task is cancelled.
    ///
    /// - Parameter report: called with each event but the last, on any thread.
    /// - Throws: `LivePhotoError` if the port or the folder for temporary files cannot be used.
    package static func run(
        _ order: StudioOrder, report: @escaping @Sendable (StudioEvent) -> Void
    ) async throws(LivePhotoError) {
        let scratch = try WorkFolder.temporary()
        defer { scratch.remove() }
        let server = try await WebServer.start(
            at: .loopback, port: order.port, usesTLS: false, access: .window(command: "livephoto studio"),
            limits: .local)
        let api = api(order, scratch: scratch.new, report)
        let site = StudioSite(api: api, report: report)
        report(.listening(address: ShownText(server.address)))
        let isLost = await withTaskGroup(of: Bool?.self) { tasks in
            tasks.addTask {
                await server.run(site.site) { _ in }
                return true
            }
            tasks.addTask(executorPreference: BlockingExecutor.shared) {
                await api.items.search()
                return nil
            }
            tasks.addTask {
                await end(api, after: order.seconds)
                return false
            }
            var isLost = false
            while let ended = await tasks.next() {
                guard let ended else { continue }
                isLost = ended
                break
            }
            tasks.cancelAll()
            // Requests may wait for what is being made.
            await api.stop()
            return isLost
        }
        if Task.isCancelled { throw LivePhotoError(.cancelled, nil, "stopped") }
        if isLost { throw LivePhotoError(.temporary, nil, "the connection to this machine itself was lost") }
    }

    private static func api(
        _ order: StudioOrder, scratch: FilePath, _ report: @escaping @Sendable (StudioEvent) -> Void
    ) -> StudioAPI {
        let worker = MediaWorker(order.decoders)
        let output = order.output.path
        let (items, jobs) = (ItemList(order.inputs.map(\.path), output: output), JobList())
        let media = ClipMedia(items, worker.engine, scratch: scratch)
        let results = ResultList(worker.engine, scratch: scratch)
        let folders = order.inputs.map(\.path).filter(\.isFolderOfItems)
        return StudioAPI(
            items: items, media: media,
            maker: Maker(
                media, StudioPresets(all: order.presets, first: order.preset), worker, jobs, results, report: report),
            folders: FolderWork(folders: folders, output: output, engine: worker.engine, jobs: jobs, items: items),
            reports: ReportFiles(folder: scratch), phone: PhoneShare(order.decoders), uploads: Uploads(scratch),
            windows: Windows(), output: output)
    }

    /// Waits until no window is open and nothing is being made, or the task is cancelled.
    private static func end(_ api: StudioAPI, after seconds: Int?) async {
        while (try? await Task.sleep(for: interval)) != nil {
            guard let seconds, api.windows.areClosed(for: .seconds(seconds)) else { continue }
            if !api.jobs.isBusy, !api.phone.status.isRunning { return }
        }
    }
}
