/// Equal neighbours of `values` as one.
func runs<Value: Equatable>(_ values: [Value]) -> [(count: UInt32, value: Value)] {
    var runs: [(count: UInt32, value: Value)] = []
    for value in values {
        if let last = runs.last, last.value == value {
            runs[runs.count - 1].count += 1
        } else {
            runs.append((1, value))
        }
    }
    return runs
}
