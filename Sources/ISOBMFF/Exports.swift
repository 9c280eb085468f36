// One import gives a file that reads or writes boxes the bytes to read them from and write them to.
@_exported public import Bytes
