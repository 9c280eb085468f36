// With these, `import LivePhotoKit` is the one import that its users need.
@_exported public import MediaModel

@_exported public import struct SystemPackage.FilePath
