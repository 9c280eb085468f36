// One import gives a user of this library the pair, its times and sizes, and file paths.
@_exported public import LivePhotoKit
