import LivePhotoBatch
import LivePhotoConversion
import SystemPackage

// The examples of Documentation/LivePhoto.docc/Libraries.md, in the same order.
// DocumentationTests compares and runs them.

func makeLivePhoto(from clip: FilePath, in folder: FilePath) async throws -> LivePhoto {
    var request = ConversionRequest(clip: clip, outputDirectory: folder)
    request.preset.window.still = try RequestedStill("50%")
    let result = try await MediaEngine.inProcess.convert(request) { progress in
        print("\(progress.frames) of \(progress.totalFrames) frames")
    }
    for warning in result.warnings { print("warning: \(warning)") }
    return result.livePhoto
}

func squareRequest(for clip: FilePath, in folder: FilePath) throws -> ConversionRequest {
    var request = try ConversionRequest(clip: clip, outputDirectory: folder, presetNamed: "compact")
    request.name = "IMG_0001"
    request.preset.window.duration = MediaTime(seconds: 2, timescale: 600)
    request.preset.picture.framing.shape = .fill(AspectRatio(1, 1))
    request.preset.video.maxSize = try MaximumSize("720x720")
    request.preset.audio.mode = .discard
    request.preset.metadata = .withoutLocation
    return request
}

func describePlan(for request: ConversionRequest) async throws -> String {
    let plan = try await MediaEngine.inProcess.plan(request)
    return "\(plan.frameCount) frames of \(plan.movieSize), photo of \(plan.photoSize) from \(plan.stillInClip)"
}

func negative(of pair: LivePhoto, in folder: FilePath) async throws -> LivePhoto {
    let context = try await LivePhotoEditingContext(photo: pair.photo, movie: pair.movie)
    var edit = LivePhotoEdit()
    edit.adjustments.exposure = try ExposureValue("0.5")
    edit.frameProcessor = { frame in
        frame.image.changed { rgba in
            for index in rgba.indices where index % 4 != 3 { rgba[index] = 255 - rgba[index] }
        }
    }
    return try await context.save(edit, to: folder).livePhoto
}

func makeSafely(from clip: FilePath, in folder: FilePath) async throws -> LivePhoto {
    var worker = MediaWorker()
    worker.timeout = TimeLimit(.seconds(300))
    worker.memoryLimit = MemoryLimit(megabytes: 2048)
    let request = ConversionRequest(clip: clip, outputDirectory: folder)
    return try await worker.engine.convert(request).livePhoto
}

func writeGIF(of livePhoto: LivePhoto, to file: FilePath) async throws -> Int {
    var request = ExportRequest(photo: livePhoto.photo, movie: livePhoto.movie, as: .gif, to: file)
    request.maximumSize = try MaximumSize("320x320")
    request.loops = 3
    return try await MediaWorker().engine.export(request).frames
}

func link(_ photo: FilePath, _ movie: FilePath, to folder: FilePath) async throws -> LivePhoto {
    let moment = try await MediaEngine.inProcess.stillMoment(of: photo, in: movie)
    let linked = try LivePhotoLinker().link(
        photo: photo, movie: movie, stillTime: moment.time, to: .directory(folder, replacesExisting: false))
    return linked.livePhoto
}

func shorten(_ pair: LivePhoto, to end: MediaTime) throws -> [String] {
    var edits = LivePhotoEdits()
    edits.end = end
    edits.removesSound = true
    let result = try LivePhotoEditor().edit(edits, photo: pair.photo, movie: pair.movie, to: .inPlace)
    return result.plan.notes
}

func defects(of pair: LivePhoto) async throws -> [String] {
    let verifier = LivePhotoVerifier(profile: .classic)
    let report = try await verifier.verify(photo: pair.photo, movie: pair.movie) {
        photo, movie, stillTime throws(LivePhotoError) in
        try await MediaEngine.inProcess.similarity(photo: photo, movie: movie, stillTime: stillTime)
    }
    return report.findings.map { "\($0.rule.severity): \($0.message); \($0.rule.remedy)" }
}

func goodPairs(below folder: FilePath) async throws -> [FilePath] {
    let report = try await LivePhotoVerifier().verify(below: [folder], width: 4)
    for error in report.unreadable { print(error) }
    return report.pairs.filter(\.isGood).map(\.photo)
}

func stillTime(of movie: FilePath) throws -> Double? {
    guard case .movie(let inspection) = try LivePhotoInspector().inspect(movie) else { return nil }
    return inspection.still?.time
}

func motionPhoto(of pair: LivePhoto, at path: FilePath) throws -> FilePath? {
    let outcome = PairTransfer().pack(photo: pair.photo, movie: pair.movie, as: .motionPhoto, to: path)
    if case .failed(let error) = outcome.state { throw error }
    return outcome.container
}

func extractAll(below folder: FilePath, to output: FilePath) async throws -> [FilePath] {
    var photos: [FilePath] = []
    try await PairTransfer(width: 4).extract([folder], to: output) { outcome in
        switch outcome.state {
        case .made, .present: photos += [outcome.photo].compactMap(\.self)
        case .failed(let error): print(error)
        case .planned, .passedOver: break
        }
    }
    return photos
}

func runBatch(_ jobFile: FilePath, in folder: FilePath) async throws -> [JobRecord] {
    let jobs = try JobFile(jobFile).jobs
    let batch = Batch(jobs, folder: folder, options: BatchOptions(), worker: MediaWorker())
    let result = try await batch.run { progress in
        print("\(progress.done) of \(progress.total) pairs, \(progress.failed) failed")
    }
    if let stop = result.stop { throw stop }
    try BatchReport.write(result.records, to: folder.appending("report.jsonl"))
    return Array(result.records)
}

func canTryAgain(after error: LivePhotoError) -> Bool {
    switch error.code.general {
    case .temporary: true
    case .outputExists: false  // or set replacesExisting
    default: false
    }
}
