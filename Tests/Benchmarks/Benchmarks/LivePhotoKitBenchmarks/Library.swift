import Foundation

/// Writes 1000 photos and 1000 movies into 20 folders: pairs, each with an identifier of its own, and some that are broken.
func writeLibrary(to folder: URL) throws {
    for number in 0..<1000 {
        let folder = folder.appending(path: "\(number / 50)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let photo = number % 10 == 7 ? Array("no photo".utf8) : identified(DevicePair.photo, number)
        let movie =
            switch number % 10 {
            // It ends within its tables.
            case 5: identified(DevicePair.movie, number).dropLast(3000)
            // Its photo is not there.
            case 6: identified(DevicePair.movie, number + 1000)[...]
            default: identified(DevicePair.movie, number)[...]
            }
        let name = "IMG_\(1000 + number)"
        try Data(photo).write(to: folder.appending(path: "\(name).HEIC"))
        try Data(movie).write(to: folder.appending(path: "\(name).MOV"))
    }
}

/// One half of the phone's pair with another identifier.
private func identified(_ half: [UInt8], _ number: Int) -> [UInt8] {
    let digits = String(10_000 + number)
    return half.replacing(
        bytes: Array(DevicePair.contentIdentifier.utf8),
        with: Array((DevicePair.contentIdentifier.dropLast(digits.count) + digits).utf8))
}
