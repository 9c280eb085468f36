"""What every command promises, for the trials that break something."""

# The statuses of the documents: 70 is an internal error.
STATUSES = {0, 1, 64, 65, 66, 69, 70, 73, 74, 75}
# Hidden folders that commands keep.
KEPT_FOLDERS = {".livephoto-undo", ".livephoto-batch", ".livephoto-import"}
