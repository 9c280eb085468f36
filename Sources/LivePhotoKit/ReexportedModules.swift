// Users need only `import LivePhotoKit`.
@_exported public import Files
@_exported public import MediaModel

@_exported public import struct SystemPackage.FilePath
