import Bytes
import CLibFuzzer
import LivePhotoKit

/// libFuzzer calls this to change an input. Half of the inputs with a form are changed so that sizes, offsets and checksums
/// stay right: plain changes of bytes would hardly get past them.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: UInt32) -> Int {
    var random = FuzzRandom(state: UInt64(seed))
    guard let form = Fuzzing.target?.reader.form, random.next(below: 2) == 0 else {
        return LLVMFuzzerMutate(data, size, limit)
    }
    let input = Array(UnsafeBufferPointer(start: data, count: size))
    guard let changed = structurallyChanged(input, form, &random), changed.count <= limit, changed != input else {
        return LLVMFuzzerMutate(data, size, limit)
    }
    for (index, byte) in changed.enumerated() { data[index] = byte }
    return changed.count
}

/// Nil for an input without the form.
func structurallyChanged(
    _ input: [UInt8], _ form: FuzzedReader.Form, _ random: inout FuzzRandom
) -> [UInt8]? {
    switch form {
    case .bytes: nil
    case .answer: answerChanged(input, &random)
    case .boxes: boxesChanged(input, &random)
    case .tiff: tiffChanged(input, &random)
    case .jpeg: input.starts(with: [0xFF, 0xD8]) ? segmentsChanged(input, &random) : boxesChanged(input, &random)
    case .zip: archiveChanged(input, &random) ?? structurallyChanged(input, .jpeg, &random)
    }
}

/// One of libFuzzer's own changes of a part of an input.
func changed(_ part: [UInt8], growth: Int = 64) -> [UInt8] {
    var buffer = part + [UInt8](repeating: 0, count: growth)
    let count = buffer.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { LLVMFuzzerMutate($0, part.count, buffer.count) } ?? 0
    }
    return Array(buffer.prefix(count))
}

/// Numbers that follow from a seed, as libFuzzer repeats its runs by seeds (splitmix64).
struct FuzzRandom {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(limit, 1)))
    }

    mutating func element<Element>(of list: [Element]) -> Element? {
        list.isEmpty ? nil : list[next(below: list.count)]
    }
}

/// Removes, repeats or moves an element, or changes it.
func changeList<Element>(_ list: inout [Element], _ random: inout FuzzRandom, _ change: (inout Element) -> Void) {
    guard !list.isEmpty else { return }
    let index = random.next(below: list.count)
    switch random.next(below: 8) {
    case 0: list.remove(at: index)
    case 1: list.insert(list[index], at: random.next(below: list.count + 1))
    case 2: list.swapAt(index, random.next(below: list.count))
    default: change(&list[index])
    }
}

/// Nil for an archive that cannot be read whole.
private func archiveChanged(_ input: [UInt8], _ random: inout FuzzRandom) -> [UInt8]? {
    let file = scratchFile(input, place: 3)
    guard let directory = try? ZipDirectory(file), directory.entries.count <= 64 else { return nil }
    var files: [(name: FileText, bytes: [UInt8])] = []
    for entry in directory.entries {
        var bytes: [UInt8] = []
        guard (try? entry.forEach(in: file) { bytes += $0 }) != nil else { return nil }
        files.append((entry.name, bytes))
    }
    let changesName = random.next(below: 2) == 0
    changeList(&files, &random) { file in
        if changesName { file.name = FileText(changed(file.name.bytes)) } else { file.bytes = changed(file.bytes) }
    }
    guard files.allSatisfy({ $0.name.bytes.count <= 0xFFFF }) else { return nil }
    return zipArchive(files)
}
