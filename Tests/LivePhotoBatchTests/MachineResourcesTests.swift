import Foundation
import LivePhotoBatch
import TestSupport
import Testing

@Suite struct MachineResourcesTests {
    /// What a machine of 8 GiB says of a process's control groups.
    struct Machine: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Of `/proc/self/cgroup`.
        let groups: String
        /// Texts of files below `/sys/fs/cgroup`.
        let limits: [String: String]
        /// In MiB.
        let memory: Int
        /// Of `/proc/self/status`: the cores that the process is bound to.
        var allowed = "ffffffff,ffffffff"
        /// Nil for all of the machine that runs the tests.
        var cores: Int?
    }

    private static let machines = [
        Machine(testDescription: "no control groups", groups: "", limits: [:], memory: 8_192),
        Machine(
            testDescription: "bound to one core", groups: "", limits: [:], memory: 8_192, allowed: "00000100,00000000",
            cores: 1),
        Machine(
            testDescription: "version 2, no limits", groups: "0::/\n",
            limits: ["memory.max": "max\n", "cpu.max": "max 100000\n"], memory: 8_192),
        Machine(
            testDescription: "version 2", groups: "0::/job\n",
            limits: ["job/memory.max": "3221225472\n", "job/cpu.max": "100000 100000\n"], memory: 3_072, cores: 1),
        Machine(
            testDescription: "version 2, parts of a core", groups: "0::/job\n",
            limits: ["job/cpu.max": "20000 100000\n", "job/memory.high": "1073741824\n"], memory: 1_024, cores: 1),
        Machine(
            testDescription: "version 2, the outer group is tighter", groups: "0::/a/b/c\n",
            limits: [
                "a/memory.max": "2147483648\n", "a/b/memory.max": "max\n", "a/b/c/memory.max": "4294967296\n",
                "a/cpu.max": "50000 50000\n", "a/b/c/cpu.max": "max 100000\n",
            ], memory: 2_048, cores: 1),
        Machine(
            testDescription: "version 2, more than the machine has", groups: "0::/\n",
            limits: ["memory.max": "17179869184\n", "cpu.max": "100000000 100000\n"], memory: 8_192),
        Machine(
            testDescription: "version 1", groups: "5:cpu,cpuacct:/job\n4:memory:/job\n1:name=systemd:/other\n",
            limits: [
                "memory/job/memory.limit_in_bytes": "536870912\n", "cpu/job/cpu.cfs_quota_us": "100000\n",
                "cpu/job/cpu.cfs_period_us": "100000\n",
            ], memory: 512, cores: 1),
        Machine(
            testDescription: "version 1, no limits", groups: "5:cpu,cpuacct:/\n4:memory:/\n",
            limits: [
                "memory/memory.limit_in_bytes": "9223372036854771712\n", "cpu/cpu.cfs_quota_us": "-1\n",
                "cpu/cpu.cfs_period_us": "100000\n",
            ], memory: 8_192),
        Machine(
            testDescription: "what is no number", groups: "noise\n0::/\n",
            limits: ["memory.max": "much\n", "cpu.max": "\n"], memory: 8_192),
    ]

    @Test(arguments: machines)
    func `a batch takes no more than its affinity and the tightest control group allow`(_ machine: Machine) throws {
        let folder = try TemporaryFolder(
            machine.limits.reduce(into: [
                "proc/meminfo": "MemTotal:        8388608 kB\nMemFree:  1 kB\n", "proc/self/cgroup": machine.groups,
                "proc/self/status": "Name:\tx\nCpus_allowed:\t\(machine.allowed)\nCpus_allowed_list:\t0-63\n",
            ]) { $0["sys/fs/cgroup/" + $1.key] = $1.value })
        let resources = MachineResources(root: folder.path)
        #expect(resources.memory == machine.memory << 20)
        #expect(resources.cores == machine.cores ?? ProcessInfo.processInfo.activeProcessorCount)
        #expect(resources.slots == min(max(machine.memory >> 10, 1), resources.cores))
    }

    @Test func `a machine that says nothing of itself has its cores, and memory without an end`() throws {
        let resources = MachineResources(root: try TemporaryFolder().path)
        #expect(resources.memory == nil && resources.slots == resources.cores && resources.cores >= 1)
    }
}
