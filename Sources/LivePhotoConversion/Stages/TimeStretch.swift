/// Makes sound faster or slower at the same pitch: waveform similarity overlap-add (WSOLA; Verhelst and Roelands, 1993).
///
/// Fragments of the sound, all equally long and each overlapping half of the next, are taken from the input at another rate
/// than they are put into the output. Where a fragment is cut out is moved by a few milliseconds, so that its waveform
/// continues that of the one before. Where the sound suddenly becomes louder (a click, a stroke, a consonant), fragments are
/// taken exactly from there and only there, so that it is heard once and at its exact time. libavfilter's `atempo`, in
/// contrast, repeats a click and is up to 90 ms early.
package struct TimeStretch: Sendable {
    private let speed: Double
    /// Samples in half a fragment, from one fragment to the next.
    private let hop: Int
    private var window: Int { 2 * hop }
    /// How far a fragment may be moved for its waveform, in samples.
    private let reach: Int
    /// How long a sudden sound is played but once, in samples.
    private let onsetLength: Int
    /// How much of each sample of a fragment is heard as it fades in.
    private let fadeIn: [Float]

    private var input: StretchInput
    private var onsets: OnsetSearch
    /// The index of the next fragment; the first one begins a hop before the sound.
    private var index = -1
    /// Where the last fragment was taken from.
    private var last = 0
    /// The second half of the last fragment, for each channel.
    private var tail: [[Float]]
    private var writtenSamples = 0
    private var hasEnded = false

    /// - Parameters:
    ///   - speed: 2 is twice as fast.
    ///   - sampleRate: samples a second.
    package init(speed: Double, sampleRate: Int, channels: Int) {
        self.speed = speed
        hop = sampleRate * 15 / 1000
        reach = sampleRate * 6 / 1000
        onsetLength = sampleRate * 5 / 1000
        // Without functions of the C library, whose last digits differ between machines.
        fadeIn = (0..<hop).map { [hop] in
            let part = (Double($0) + 0.5) / Double(hop)
            return Float(part * part * (3 - 2 * part))
        }
        input = StretchInput(channels: channels)
        onsets = OnsetSearch(sampleRate: sampleRate)
        tail = Array(repeating: Array(repeating: 0, count: hop), count: channels)
    }

    /// Adds sound and returns what is finished.
    ///
    /// - Parameter samples: of each channel, equally many.
    /// - Returns: the next samples of each channel; may be empty.
    package mutating func add(_ samples: [[Float]]) -> [[Float]] {
        onsets.add(samples)
        input.add(samples)
        return output()
    }

    /// Returns the rest of the sound. Nothing can be added after it.
    package mutating func finish() -> [[Float]] {
        hasEnded = true
        return output()
    }

    private mutating func output() -> [[Float]] {
        var output = [[Float]](repeating: [], count: tail.count)
        let length = Int((Double(input.count) / speed).rounded())
        while hasEnded ? index * hop < length : isReady {
            let start = place()
            for channel in tail.indices {
                let fragment = input.samples(of: channel, from: start, count: window)
                if index >= 0 {
                    output[channel] += (0..<hop).map { tail[channel][$0] + fragment[$0] * fadeIn[$0] }
                }
                tail[channel] = (0..<hop).map { fragment[hop + $0] * (1 - fadeIn[$0]) }
            }
            (last, index) = (start, index + 1)
            input.discard(before: min(last, ideal) - reach)
            onsets.discard(before: last - 2 * window)
        }
        if hasEnded {
            let surplus = writtenSamples + (output.first?.count ?? 0) - length
            if surplus > 0 { output = output.map { $0.dropLast(surplus) } }
        }
        writtenSamples += output.first?.count ?? 0
        return output
    }

    /// Where the next fragment would be taken from, so that the time of its middle is exact.
    private var ideal: Int { Int((speed * Double(index * hop + hop)).rounded()) - hop }

    /// Whether there is enough input for the next fragment and to know what happens in it.
    private var isReady: Bool {
        let read = max(ideal + reach + 2 * window, Int((speed * Double(index * hop + window)).rounded(.up)))
        return input.count >= read + onsets.delay
    }

    /// Where the next fragment is taken from.
    private func place() -> Int {
        let (begin, end) = (index * hop, index * hop + window)
        // The output has the same beginning and end as the input.
        var fixed = [(input: 0, output: 0)]
        if hasEnded { fixed.append((input.count, Int((Double(input.count) / speed).rounded()))) }
        let known = onsets.found.map { (input: $0, output: Int((Double($0) / speed).rounded())) }
        let covered = (fixed + known).filter { $0.output >= begin && $0.output < end }
        if let nearest = covered.min(by: { abs($0.output - begin - hop) < abs($1.output - begin - hop) }) {
            return nearest.input - (nearest.output - begin)
        }
        let lowest = known.last { $0.output < begin }.map { $0.input + onsetLength } ?? 0
        var highest = known.first { $0.output >= end }.map { $0.input - window } ?? Int.max
        if hasEnded { highest = min(highest, max(input.count - window, 0)) }
        var range = (max(ideal - reach, lowest), min(ideal + reach, highest))
        if range.0 > range.1 { range = lowest > ideal ? (lowest, lowest) : (highest, highest) }
        guard index > 0, range.0 < range.1 else { return range.0 }
        return input.bestMatch(
            for: last + hop, count: hop, from: range.0, through: range.1, preferring: min(max(ideal, range.0), range.1))
    }
}

/// The part of the input that may still be needed.
private struct StretchInput: Sendable {
    /// Of each channel, and their sum.
    private var channels: [[Float]]
    private var mono: [Float] = []
    /// The index of the first sample that is kept.
    private var first = 0
    /// The samples added so far.
    var count: Int { first + mono.count }

    /// Each time that this many samples are no longer needed, they are removed.
    private static let surplus = 1 << 14
    /// Samples that are skipped in the first, coarse search.
    private static let step = 4

    init(channels: Int) {
        self.channels = Array(repeating: [], count: channels)
    }

    mutating func add(_ samples: [[Float]]) {
        guard let length = samples.first?.count else { return }
        for (index, channel) in samples.enumerated() where channels.indices.contains(index) {
            channels[index] += channel
        }
        mono += (0..<length).map { index in samples.reduce(0) { $0 + $1[index] } }
    }

    mutating func discard(before index: Int) {
        let surplus = min(index - first, mono.count)
        guard surplus >= Self.surplus else { return }
        for channel in channels.indices { channels[channel].removeFirst(surplus) }
        mono.removeFirst(surplus)
        first += surplus
    }

    /// Silence before the first sample and after the last.
    func samples(of channel: Int, from start: Int, count: Int) -> [Float] {
        Self.part(channels[channel], from: start - first, count: count)
    }

    private static func part(_ samples: [Float], from start: Int, count: Int) -> [Float] {
        let before = min(max(-start, 0), count)
        let inside = samples.dropFirst(max(start, 0)).prefix(count - before)
        let after = count - before - inside.count
        return [Float](repeating: 0, count: before) + inside + [Float](repeating: 0, count: after)
    }

    /// The place whose waveform is most similar to that at another place.
    ///
    /// - Parameters:
    ///   - start: the other place.
    ///   - count: how many samples are compared.
    ///   - preferred: the place that is taken in silence, and among equals the nearest to it.
    func bestMatch(for start: Int, count: Int, from lowest: Int, through highest: Int, preferring preferred: Int) -> Int
    {
        let wanted = Self.part(mono, from: start - first, count: count)
        guard wanted.contains(where: { $0 != 0 }) else { return preferred }
        let offered = Self.part(mono, from: lowest - first, count: highest - lowest + count)
        func best(_ candidates: StrideThrough<Int>, step: Int) -> Int {
            var (best, bestFit) = (preferred - lowest, -Float.infinity)
            for candidate in candidates {
                let fit = Self.similarity(wanted, offered, at: candidate, step: step)
                let isNearer = abs(candidate + lowest - preferred) < abs(best + lowest - preferred)
                if fit > bestFit || fit == bestFit && isNearer { (best, bestFit) = (candidate, fit) }
            }
            return best
        }
        let coarse = best(stride(from: 0, through: highest - lowest, by: Self.step), step: Self.step)
        let near = max(coarse - Self.step, 0)...min(coarse + Self.step, highest - lowest)
        return lowest + best(stride(from: near.lowerBound, through: near.upperBound, by: 1), step: 1)
    }

    /// The correlation in relation to the loudness of the second sound.
    private static func similarity(_ one: [Float], _ other: [Float], at offset: Int, step: Int) -> Float {
        var (product, energy) = (Float(0), Float(0))
        var index = 0
        while index < one.count {
            let value = other[offset + index]
            product += one[index] * value
            energy += value * value
            index += step
        }
        return energy > 0 ? product / energy.squareRoot() : 0
    }
}

/// Finds where sound suddenly becomes louder.
struct OnsetSearch: Sendable {
    /// The indices of the first loud samples, in ascending order.
    private(set) var found: [Int] = []
    /// Samples in a block of a millisecond.
    private let block: Int
    /// The loudest samples of the last blocks.
    private var levels: [Float] = []
    /// The samples of the block that is not complete yet: the loudest of all channels.
    private var open: [Float] = []
    private var count = 0

    /// Blocks before an onset that are quieter.
    private static let quietBlocks = 15
    /// Blocks from an onset to the next one at least.
    private static let fewestBlocks = 30
    private static let ratio: Float = 2
    /// Quieter sound is no onset: a hundredth of full scale.
    private static let lowestLevel: Float = 0.01

    /// How many samples have to be added after a place to know about an onset there.
    var delay: Int { block }

    init(sampleRate: Int) {
        block = max(sampleRate / 1000, 1)
    }

    mutating func add(_ samples: [[Float]]) {
        guard let length = samples.first?.count else { return }
        for index in 0..<length {
            open.append(samples.reduce(0) { max($0, abs($1[index])) })
            if open.count == block { finishBlock() }
        }
    }

    private mutating func finishBlock() {
        let (level, before) = (open.max() ?? 0, levels.max() ?? 0)
        let start = count
        count += block
        defer {
            levels.append(level)
            if levels.count > Self.quietBlocks { levels.removeFirst() }
            open.removeAll(keepingCapacity: true)
        }
        guard level > Self.lowestLevel, level > before * Self.ratio,
            start - (found.last ?? -count) >= Self.fewestBlocks * block
        else { return }
        let limit = max(before * Self.ratio, level / 4)
        if let first = open.firstIndex(where: { $0 > limit }) { found.append(start + first) }
    }

    /// Forgets onsets, but the last of them: it limits where the next fragments are taken from.
    mutating func discard(before index: Int) {
        let old = found.prefix { $0 < index }.count
        if old > 1 { found.removeFirst(old - 1) }
    }
}
