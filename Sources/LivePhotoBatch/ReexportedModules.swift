// Clients of this library also need the worker and the types of requests.
@_exported public import LivePhotoWorker
