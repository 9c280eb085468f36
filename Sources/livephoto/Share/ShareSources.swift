import LivePhotoBatch
import SystemPackage

/// What `share` was called with, as Live Photos in files.
struct ShareSources: Sendable {
    let items: [ShareOrder.Item]
    /// Of motion photos and archives.
    private let extracted: [ExtractedLivePhoto]
    /// Of clips.
    private let folder: WorkFolder?

    /// Finds pairs, extracts what is in containers, and converts clips.
    ///
    /// - Parameter template: for clips.
    /// - Throws: `LivePhotoError` for a file that is no Live Photo and no clip; `Cancelled`.
    init(
        _ arguments: [String], _ template: ConversionRequest, _ worker: MediaWorker, _ jobs: JobsOption,
        _ progress: ProgressOptions
    ) async throws {
        let paths = [FilePath](arguments: arguments)
        // A photo and a movie of other names.
        let isPair = paths.count == 2 && (try? PairPaths(paths[0], paths[1])).map(Self.isLivePhoto) ?? false
        let clips = isPair ? [] : paths.filter(LivePhotoFiles.isClip)
        let archives = paths.filter { !PairContainer.bundles(in: $0).isEmpty }
        let others = zip(arguments, paths).filter { !clips.contains($0.1) && !archives.contains($0.1) }.map(\.0)
        var items: [ShareOrder.Item] = []
        var extracted: [ExtractedLivePhoto] = []
        for archive in archives {
            for bundle in PairContainer.bundles(in: archive) {
                let copy = try ExtractedLivePhoto(PairContainer(archive, bundle: bundle), near: nil)
                extracted.append(copy)
                items.append(Self.item(PairPaths(photo: copy.livePhoto.photo, movie: copy.livePhoto.movie)))
            }
        }
        if !others.isEmpty {
            for item in try await PreviewSources.items(others, width: jobs.width, progress) {
                do throws(LivePhotoError) {
                    let pair: PairPaths
                    switch item.source {
                    case .unreadable(let error): throw error
                    case .pair(let found):
                        // Files that only have one name would arrive as what no program takes for a Live Photo.
                        _ = try LivePhoto(photo: found.photo, movie: found.movie)
                        pair = found
                    case .container(let path):
                        let copy = try ExtractedLivePhoto(PairContainer(path), near: nil)
                        extracted.append(copy)
                        pair = PairPaths(photo: copy.livePhoto.photo, movie: copy.livePhoto.movie)
                    }
                    items.append(Self.item(pair))
                } catch {
                    if others.count == 1, (try? FilePath(argument: others[0]).stat().type) != .directory { throw error }
                    Terminal.say(error: error, ofSeveral: true)
                }
            }
        }
        if clips.isEmpty {
            folder = nil
        } else {
            let folder = try WorkFolder.temporary()
            self.folder = folder
            do {
                items += try await Self.converted(clips, template, in: folder, worker, jobs, progress)
            } catch {
                folder.remove()
                throw error
            }
        }
        (self.items, self.extracted) = (items, extracted)
        guard !items.isEmpty else {
            discard()
            throw LivePhotoError(.noInput, paths.first, "gives no Live Photo that can be shared")
        }
    }

    /// Removes what was made for sharing.
    func discard() {
        for copy in extracted { copy.discard() }
        folder?.remove()
    }

    private static func item(_ pair: PairPaths) -> ShareOrder.Item {
        ShareOrder.Item(name: pair.photo.lastComponent?.base.string ?? "photo", pair)
    }

    private static func isLivePhoto(_ pair: PairPaths) -> Bool {
        (try? LivePhoto(photo: pair.photo, movie: pair.movie)) != nil
    }

    /// The Live Photos of clips, each in a folder of its own.
    private static func converted(
        _ clips: [FilePath], _ template: ConversionRequest, in folder: WorkFolder, _ worker: MediaWorker,
        _ jobs: JobsOption, _ progress: ProgressOptions
    ) async throws -> [ShareOrder.Item] {
        let requests = clips.enumerated().map { index, clip in
            var request = template
            (request.clip, request.outputDirectory) = (clip, folder.new.appending("\(index)"))
            request.name = clip.lastComponent?.base.string
            return request
        }
        let display = ConvertProgress(clips.map(\.string), progress.form)
        defer { display.clear() }
        var items: [ShareOrder.Item] = []
        try await ConversionSeries(requests, slots: jobs.count, worker: worker).convert {
            display.show($1, of: $0)
        } ended: {
            display.end($0)
        } report: { index, result in
            switch result {
            case .success(.made(let made)): items.append(item(PairPaths(photo: made.photo, movie: made.movie)))
            case .success(.existing(let pair)): items.append(item(PairPaths(photo: pair.photo, movie: pair.movie)))
            case .failure(let error):
                let named = requests[index].named(error)
                if clips.count == 1 { throw named }
                Terminal.say(error: named, ofSeveral: true)
            }
        }
        return items
    }
}
