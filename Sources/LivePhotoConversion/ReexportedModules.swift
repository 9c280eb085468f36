// Users of this library need only one import for requests, pairs, times, sizes and file paths.
@_exported public import LivePhotoRequests
