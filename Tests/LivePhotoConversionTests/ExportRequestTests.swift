import Foundation
import LivePhotoConversion
import LivePhotoKit
import MediaModel
import TestSupport
import Testing

/// Exports in the calling process.
@Suite struct ExportRequestTests {
    private func request(_ format: ExportFormat, in folder: TemporaryFolder) throws -> ExportRequest {
        let movie = FilePath(try SampleClips.beach())
        return ExportRequest(photo: movie, movie: movie, as: format, to: folder.path.appending("out"))
    }

    @Test func `the library exports without a worker, and reports progress up to the last frame`() async throws {
        let folder = try TemporaryFolder()
        var request = try request(.gif, in: folder)
        request.duration = MediaTime(value: 1, timescale: 1)
        request.maximumSize = MaximumSize(64, 64)
        let plan = try await MediaEngine.inProcess.planExport(request)
        let result = try await MediaEngine.inProcess.export(request) { progress in
            #expect(progress.frames <= progress.totalFrames && progress.totalFrames == 15)
        }
        #expect(result.frames == 15 && result.size == PixelSize(width: 64, height: 36))
        #expect(result.duration == request.duration && result.bytes ?? 0 > 0)
        #expect((plan.frames, plan.size, plan.duration) == (result.frames, result.size, result.duration))
        #expect(plan.bytes == nil && folder.contents == ["out"])
    }

    @Test func `a requested duration that the movie does not have is an error`() async throws {
        let folder = try TemporaryFolder()
        var request = try request(.frames, in: folder)
        request.duration = MediaTime(value: 5, timescale: 1)
        let error = await #expect(throws: LivePhotoError.self) { try await MediaEngine.inProcess.export(request) }
        #expect(error?.code == .invalidRequest && folder.contents.isEmpty)
    }

    @Test func `a cancelled export leaves nothing`() async throws {
        let folder = try TemporaryFolder()
        let request = try request(.mp4, in: folder)
        let task = Task { try await MediaEngine.inProcess.export(request) }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        let error = await #expect(throws: LivePhotoError.self) { try await task.value }
        #expect(error?.code == .cancelled && folder.contents.isEmpty)
    }

    @Test func `a request is the same after coding`() throws {
        var request = ExportRequest(photo: "a.HEIC", movie: "a.MOV", as: .webp, to: "a.webp")
        (request.start, request.loops, request.quality) = (ClipTime(text: "50%"), 3, PhotoQuality(50))
        let data = try JSONEncoder().encode(request)
        #expect(try JSONDecoder().decode(ExportRequest.self, from: data) == request)
    }
}
