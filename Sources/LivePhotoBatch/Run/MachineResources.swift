import Bytes
import LivePhotoKit
package import SystemPackage

/// The cores and memory available to this process. Its CPU affinity and control groups (cgroups(7), both versions) limit
/// them in containers and cluster jobs.
package struct MachineResources: Sendable, Hashable {
    package let cores: Int
    /// In bytes; nil if unknown.
    package let memory: Int?

    /// Bytes that a conversion usually needs at most; 4K sources need less.
    private static let memoryOfClip = 1 << 30

    /// - Parameter root: the folder that contains `proc` and `sys`.
    package init(root: FilePath = "/") {
        let groups = ControlGroups(root: root)
        let counts = [CurrentProcess.cores, Self.allowedCores(root: root), groups.cores]
        cores = max(counts.compactMap(\.self).min() ?? 1, 1)
        memory = [groups.memory, Self.physicalMemory(root: root)].compactMap(\.self).min()
    }

    /// Number of clips to convert at a time.
    package var slots: Int {
        guard let memory else { return cores }
        return min(max(memory / Self.memoryOfClip, 1), cores)
    }

    /// Number of clips of `count` to convert at a time, at most what the limit of open files allows.
    ///
    /// - Parameter requested: by the user; nil for as many as cores and memory allow.
    func slots(for count: Int, requested: Int?) -> Int {
        OpenFiles.jobs(atMost: max(min(requested ?? slots, count), 1))
    }

    /// Number of threads for each clip.
    func threads(slots: Int) -> Int { max(cores / max(slots, 1), 1) }

    /// Memory limit in bytes for each clip. A tenth of the memory is left for everything else.
    func memoryShare(slots: Int) -> Int? { memory.map { $0 / 10 * 9 / max(slots, 1) } }

    private static func physicalMemory(root: FilePath) -> Int? {
        line("MemTotal:", of: root.appending("proc/meminfo")).flatMap { Int($0.prefix(while: \.isNumber)) }.map {
            min($0, .max >> 10) << 10
        }
    }

    /// Number of cores in the CPU affinity mask (sched_setaffinity(2)), which FoundationEssentials ignores.
    private static func allowedCores(root: FilePath) -> Int? {
        // A bit for each core, in hexadecimal with commas: `ff,ffffffff`.
        line("Cpus_allowed:", of: root.appending("proc/self/status")).map {
            $0.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
        }
    }

    /// The rest of the line that begins with `name`.
    private static func line(_ name: String, of path: FilePath) -> Substring? {
        let lines = ControlGroups.text(path)?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix(name) }?.dropFirst(name.count).drop(while: \.isWhitespace)
    }
}

/// The lowest limits of the control groups of this process and their parents.
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
        // `200000 100000`: microseconds of processor time and of the period; `max` for no limit.
        let quota = Self.text(folder.appending("cpu.max"))?.split(whereSeparator: \.isWhitespace).map { Int($0) }
        let (time, period) =
            quota.map { ($0.first ?? nil, $0.last ?? nil) } ?? (number("cpu.cfs_quota_us"), number("cpu.cfs_period_us"))
        if let time, let period, time > 0, period > 0 {
            let limit = max(time / period + (time.isMultiple(of: period) ? 0 : 1), 1)
            cores = min(cores ?? limit, limit)
        }
    }

    static func text(_ path: FilePath) -> String? {
        // The kernel reports no size for these files, so read one buffer.
        guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
        defer { try? descriptor.close() }
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        guard let count = try? buffer.withUnsafeMutableBytes({ try descriptor.read(into: $0) }) else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
