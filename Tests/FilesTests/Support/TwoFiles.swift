import Files
import SystemPackage
import Testing

/// Two files that are published together.
struct TwoFiles {
    let directory: FilePath
    var photoName: FilePath.Component = "beach.JPG"
    var movieName: FilePath.Component = "beach.MOV"

    var photo: FilePath { directory.appending(photoName) }
    var movie: FilePath { directory.appending(movieName) }

    func publisher(usesHardLinks: Bool = true) throws(LivePhotoError) -> Publisher {
        try Publisher([.init(movieName), .init(photoName)], in: directory, usesHardLinks: usesHardLinks)
    }
}

/// Expects that `body` throws an error of this kind about this file.
func expectError(
    _ code: LivePhotoError.Code, at path: FilePath, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    let error = #expect(throws: LivePhotoError.self, sourceLocation: sourceLocation, performing: body)
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.file == path, sourceLocation: sourceLocation)
}
