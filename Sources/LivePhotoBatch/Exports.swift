// With this, `import LivePhotoBatch` is the one import that its users need.
@_exported public import LivePhotoWorker
