import Benchmark
import Foundation
import LivePhotoKit

/// Each benchmark runs in a process of its own, which makes what it reads and writes, and removes it.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .cpuTotal, .throughput, .peakMemoryResident, .instructions],
        maxDuration: .seconds(2), maxIterations: 1_000_000)
    let folder = FileManager.default.temporaryDirectory.appending(path: "livephoto-benchmark-\(UUID().uuidString)")
    Benchmark.setup = { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false) }
    Benchmark.teardown = { try FileManager.default.removeItem(at: folder) }

    let photo = folder.appending(path: "IMG_0001.HEIC")
    let movie = folder.appending(path: "IMG_0001.MOV")
    @Sendable func makePair() throws {
        try Data(DevicePair.photo).write(to: photo)
        try Data(DevicePair.movie).write(to: movie)
    }

    Benchmark("Inspect a phone's photo") { _ in
        blackHole(try LivePhotoInspector().inspect(photo.filePath))
    } setup: {
        try makePair()
    }
    Benchmark("Inspect a phone's movie") { _ in
        blackHole(try LivePhotoInspector().inspect(movie.filePath))
    } setup: {
        try makePair()
    }
    Benchmark("Inspect a movie of two hours") { _ in
        blackHole(try LivePhotoInspector().inspect(movie.filePath))
    } setup: {
        try Data(longMovie(frames: 2 * 60 * 60 * 60)).write(to: movie)
    }
    Benchmark("Verify a phone's pair") { _ in
        blackHole(try LivePhotoVerifier().verify(photo: photo.filePath, movie: movie.filePath))
    } setup: {
        try makePair()
    }

    for (kind, bytes) in [("a JPEG", largeJPEG), ("a HEIC", largeHEIC)] {
        Benchmark("Link \(kind) of 3 MB") { benchmark in
            let copies = folder.appending(path: "\(benchmark.currentIteration)")
            benchmark.startMeasurement()
            blackHole(
                try LivePhotoLinker().link(
                    photo: photo.filePath, movie: movie.filePath,
                    to: .directory(copies.filePath, replacesExisting: false)))
            benchmark.stopMeasurement()
            try FileManager.default.removeItem(at: copies)
        } setup: {
            try makePair()
            try Data(bytes()).write(to: photo)
        }
    }

    Benchmark("Inspect a library of 2000 files") { _ in
        try await LivePhotoInspector().inspect(below: [folder.filePath], width: 2) {
            $0
        } onFile: { result, _, _ in
            blackHole(result)
        }
    } setup: {
        try writeLibrary(to: folder)
    }
    Benchmark("Verify a library of 2000 files") { _ in
        blackHole(try await LivePhotoVerifier().verify(below: [folder.filePath], width: 2))
    } setup: {
        try writeLibrary(to: folder)
    }
}

extension URL {
    fileprivate var filePath: FilePath { FilePath(path(percentEncoded: false)) }
}
