import TestSupport

/// A ZIP archive, as far as its directory goes (PKWARE APPNOTE 6.3, 4.3): members are stored; sums are left out.
struct Archive {
    private var members: [UInt8] = []
    private var directory: [UInt8] = []
    private var places: [(offset: Int, size: Int)] = []

    /// - Parameter isCompressed: whether it is said to be.
    mutating func add(_ name: String, _ bytes: [UInt8], isCompressed: Bool = false) {
        // Version 2.0, no flags; then no time, no sum, and the sizes in the archive and unpacked.
        let common =
            little(20, 2) + little(0, 2) + little(isCompressed ? 8 : 0, 2) + little(0, 4) + little(0, 4)
            + little(bytes.count, 4) + little(bytes.count, 4) + little(name.utf8.count, 2) + little(0, 2)
        let start = members.count
        members += little(0x0403_4B50, 4) + common + Array(name.utf8)
        places.append((members.count, bytes.count))
        members += bytes
        directory += little(0x0201_4B50, 4) + little(20, 2) + common
        directory += little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(start, 4) + Array(name.utf8)
    }

    /// What Baidu's `.livp` says behind its directory: where a HEIC and its movie stand, in hexadecimal digits.
    var baiduComment: [UInt8] {
        let numbers = places.map { digits($0.offset) + digits($0.size) }
        return Array(("0002" + numbers[0] + "0003" + numbers[1] + "313030304C495650").utf8)
    }

    func bytes(comment: [UInt8]) -> [UInt8] {
        members + directory + little(0x0605_4B50, 4) + little(0, 4) + little(places.count, 2)
            + little(places.count, 2) + little(directory.count, 4) + little(members.count, 4)
            + little(comment.count, 2) + comment
    }

    private func digits(_ number: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
