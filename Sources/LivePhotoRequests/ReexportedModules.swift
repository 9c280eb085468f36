// Clients of this library also need LivePhotoKit's types for pairs, times, sizes and file paths.
@_exported public import LivePhotoKit
