import Bytes
package import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What this process may use of the machine: the cores that it is bound to, and the limits of the control groups that it
/// is in (cgroups(7), both versions), as containers and cluster jobs set them.
package struct MachineResources: Sendable, Hashable {
    package let cores: Int
    /// In bytes; nil if unknown.
    package let memory: Int?

    /// What a clip's conversion takes at most, as a rule: 4K sources stay below it.
    private static let memoryOfClip = 1 << 30

    /// Those of this process.
    ///
    /// - Parameter root: the root of the file system with `proc` and `sys`.
    package init(root: FilePath = "/") {
        let groups = ControlGroups(root: root)
        let counts = [ProcessInfo.processInfo.activeProcessorCount, Self.allowedCores(root: root), groups.cores]
        cores = max(counts.compactMap(\.self).min() ?? 1, 1)
        memory = [groups.memory, Self.physicalMemory(root: root)].compactMap(\.self).min()
    }

    /// How many clips at a time.
    package var slots: Int {
        guard let memory else { return cores }
        return min(max(memory / Self.memoryOfClip, 1), cores)
    }

    /// Threads for each of so many clips.
    func threads(slots: Int) -> Int { max(cores / max(slots, 1), 1) }

    /// The most memory for each of so many clips, with a rest for everything else.
    func memoryShare(slots: Int) -> Int? { memory.map { $0 / 10 * 9 / max(slots, 1) } }

    private static func physicalMemory(root: FilePath) -> Int? {
        line("MemTotal:", of: root.appending("proc/meminfo")).flatMap { Int($0.prefix(while: \.isNumber)) }.map {
            $0 << 10
        }
    }

    /// Those that the process is bound to (sched_setaffinity(2)), which FoundationEssentials does not ask for.
    private static func allowedCores(root: FilePath) -> Int? {
        // A bit for each core, in hexadecimal with commas: `ff,ffffffff`.
        line("Cpus_allowed:", of: root.appending("proc/self/status")).map {
            $0.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
        }
    }

    /// What follows `name` in a file of the kernel's.
    private static func line(_ name: String, of path: FilePath) -> Substring? {
        let lines = ControlGroups.text(path)?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix(name) }?.dropFirst(name.count).drop(while: \.isWhitespace)
    }
}

/// The limits of the control groups that this process is in: the tightest of its groups and their parents.
private struct ControlGroups {
    private(set) var cores: Int?
    private(set) var memory: Int?

    init(root: FilePath) {
        let lines = Self.text(root.appending("proc/self/cgroup"))?.split(separator: "\n") ?? []
        let hierarchies = root.appending("sys/fs/cgroup")
        for line in lines {
            // `0::/path` in version 2, `5:cpu,cpuacct:/path` in version 1.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            for controller in parts[1].isEmpty ? [""] : parts[1].split(separator: ",").map(String.init) {
                var folder = controller.isEmpty ? hierarchies : hierarchies.appending(controller)
                take(folder)
                for name in FilePath(String(parts[2])).components {
                    folder.append(name)
                    take(folder)
                }
            }
        }
    }

    private mutating func take(_ folder: FilePath) {
        func number(_ name: String) -> Int? {
            Self.text(folder.appending(name)).flatMap { Int($0.prefix { $0 != "\n" }) }
        }
        for name in ["memory.max", "memory.high", "memory.limit_in_bytes"] {
            if let limit = number(name), limit > 0 { memory = min(memory ?? limit, limit) }
        }
        // `200000 100000`: microseconds of processor time in a period; `max` where there is no limit.
        let quota = Self.text(folder.appending("cpu.max"))?.split(whereSeparator: \.isWhitespace).map { Int($0) }
        let (time, period) =
            quota.map { ($0.first ?? nil, $0.last ?? nil) } ?? (number("cpu.cfs_quota_us"), number("cpu.cfs_period_us"))
        if let time, let period, time > 0, period > 0 {
            let limit = max((time + period - 1) / period, 1)
            cores = min(cores ?? limit, limit)
        }
    }

    static func text(_ path: FilePath) -> String? {
        // Files of the kernel have no size before they are read.
        guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
        defer { try? descriptor.close() }
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        guard let count = try? buffer.withUnsafeMutableBytes({ try descriptor.read(into: $0) }) else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
