// Users of this library need no other import.
@_exported public import LivePhotoRequests
