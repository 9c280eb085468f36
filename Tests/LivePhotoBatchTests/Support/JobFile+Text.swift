import LivePhotoBatch
import LivePhotoRequests
import SystemPackage

extension JobFile {
    /// - Parameter folder: what its relative paths begin at.
    init(yaml text: String, name: String = "jobs.yaml", folder: FilePath = "") throws(LivePhotoError) {
        try self.init(
            Array(text.utf8), name: name, folder: folder, isLines: FilePath(name).extension == "jsonl")
    }
}
