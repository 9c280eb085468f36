import Bytes
import FFmpegKit
import LivePhotoKit
import StillImage

/// Carries out a plan: one pass over the clip on two threads, then the key photo's file.
struct ConversionRunner {
    let plan: ConversionPlan
    let cancellation: CancellationFlag
    let progress: @Sendable (ConversionProgress) -> Void

    /// Pictures between the two threads; enough that neither waits for the other's slow moments, and few to hold.
    private static let queueCapacity = 2

    /// - Returns: what the user may want to know of the run, beyond the plan's warnings.
    func run(_ prepared: ConversionPreparation, photo: FilePath, movie: FilePath) throws -> [String] {
        let queue = BoundedQueue<PipelineItem>(capacity: Self.queueCapacity)
        let decoding = try DecodeStage(plan, prepared.reader, into: queue, cancellation: cancellation)
        let encoding = encode(queue, movie: movie, sound: decoding.soundFormat)
        let decoded = Result { try decoding.run() }
        queue.close()
        // What the encoder says comes first: when it fails, the decoder only finds the queue closed.
        try encoding.wait()
        try decoded.get()
        try write(try keyPhoto(decoding.photo, prepared.ownPhoto), to: photo)
        if let date = plan.metadata.captureDate {
            for path in [photo, movie] { try FileTimes.set(path, secondsSince1970: date.secondsSince1970) }
        }
        return decoding.warnings
    }

    /// Starts the encoding thread. If its work fails, it closes the queue, so that the other side stops.
    private func encode(_ queue: BoundedQueue<PipelineItem>, movie: FilePath, sound: SoundFormat?) -> WorkerThread {
        WorkerThread { [plan, cancellation, progress] in
            defer { queue.close() }
            let stage = try EncodeStage(plan, movie: movie, sound: sound, cancellation: cancellation) { frames in
                progress(ConversionProgress(frames: frames, totalFrames: plan.frameCount))
            }
            try stage.run(queue)
        }
    }

    /// - Parameter frame: the clip's frame as a JFIF file, where that is the key photo.
    private func keyPhoto(_ frame: [UInt8]?, _ ownPhoto: OwnPhoto?) throws -> [UInt8] {
        if case .own(_, let update, let keepsMetadata) = plan.photo, let ownPhoto {
            return try ownPhoto.contents(update, keepingMetadata: keepsMetadata, quality: plan.photoQuality)
        }
        guard let frame else { throw LivePhotoError(.internalFault, plan.clip, "no key photo was made") }
        let jpeg = try JPEG(frame)
        let metadata = plan.metadata
        let exif = Exif(
            size: jpeg.size, contentIdentifier: plan.contentIdentifier, captureDate: metadata.captureDate,
            make: metadata.make, model: metadata.model, location: metadata.location)
        var tiff = ByteWriter()
        exif.write(to: &tiff)
        return try jpeg.replacingExif(with: tiff.bytes, keepingComments: false)
    }

    private func write(_ photo: [UInt8], to path: FilePath) throws {
        let file = try OutputFile(creating: path)
        try file.write(photo)
        try file.synchronize()
    }
}
