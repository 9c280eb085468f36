import Foundation

/// Of a long table, the cases that `Scripts/test` takes: the first, the last and every few between them. `Scripts/test --all` and
/// `swift test` take all.
public func sampled<Case>(_ cases: [Case], every step: Int) -> [Case] {
    guard ProcessInfo.processInfo.environment["LIVEPHOTO_SOME_CASES"] != nil else { return cases }
    return cases.enumerated().filter { $0.offset % step == 0 || $0.offset == cases.count - 1 }.map(\.element)
}

/// All pairs of two tables. A step of `sampled` that is no multiple of the second one's count reaches all of both.
public func combined<First, Second>(_ first: [First], _ second: [Second]) -> [(First, Second)] {
    first.flatMap { one in second.map { (one, $0) } }
}
