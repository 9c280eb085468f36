import LivePhotoKit
import SystemPackage
import Testing

/// Expects that neither linking nor unlinking can change a pair in place now, because another run has its movie.
func expectHeld(photo: FilePath, movie: FilePath) {
    for body in [
        { _ = try LivePhotoLinker().link(photo: photo, movie: movie, to: .inPlace) },
        { try LivePhotoLinker().unlink(photo: photo, movie: movie, to: .inPlace) },
    ] {
        let error = #expect(throws: LivePhotoError.self, performing: body)
        #expect(error?.code == .temporary && error?.file == movie)
    }
}
