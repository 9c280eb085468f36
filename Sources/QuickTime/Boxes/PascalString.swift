/// `text` behind its length in one byte; cut to 255 bytes.
func pascalString(_ text: String) -> [UInt8] {
    let bytes = text.utf8.prefix(255)
    return [UInt8(bytes.count)] + bytes
}
