/// `a, b or c`
package func alternatives(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// `; did you mean 'codec'?` if one of `words` is close to `typed`, otherwise empty.
package func suggestion(for typed: String, among words: [String]) -> String {
    closestWord(to: typed, among: words).map { "; did you mean '\($0)'?" } ?? ""
}

/// The word that was probably meant by `typed`: one that differs in few letters.
package func closestWord(to typed: String, among words: [String]) -> String? {
    guard typed.count <= 64 else { return nil }
    let lower = typed.lowercased()
    let closest = words.map { (word: $0, distance: editDistance(lower, $0.lowercased())) }
        .min { $0.distance < $1.distance }
    guard let closest, closest.distance <= max(1, min(typed.count, closest.word.count) / 3) else { return nil }
    return closest.word
}

/// The Damerau-Levenshtein distance ("optimal string alignment"): the number of insertions, deletions, replacements and
/// transpositions of adjacent characters that turn one word into the other.
package func editDistance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var beforePrevious: [Int] = []
    var previous = Array(0...second.count)
    for (row, character) in first.enumerated() {
        var current = [row + 1]
        for (column, other) in second.enumerated() {
            var cost = min(
                previous[column] + (character == other ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, character == second[column - 1], first[row - 1] == other {
                cost = min(cost, beforePrevious[column - 1] + 1)
            }
            current.append(cost)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[second.count]
}

extension Character {
    var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isNumber) }
}
