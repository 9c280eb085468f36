// One import gives a user of this library what can be asked, the pair, its times and sizes, and file paths.
@_exported public import LivePhotoRequests
