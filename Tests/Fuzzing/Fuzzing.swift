import Bytes
import CLibFuzzer
import Glibc
import SystemPackage
import TestSupport

/// Runs libFuzzer on one of the readers, which `FUZZ_TARGET` names: libFuzzer starts itself again for some of its jobs,
/// with its own arguments alone. Scripts/trial fuzz builds this and says how to run it.
///
/// Other arguments prepare or follow a run: `--list` prints the names of all targets, `--sources` the folders and files whose
/// code belongs to the reader, `--samples FOLDER` and `--dictionary FILE` write what a run begins with, faults of the past
/// among it, `--run FOLDER` reads each file once without libFuzzer, and `--describe FOLDER` prints what is found in each
/// file, one line of JSON for each.
@main enum Fuzzing {
    static let target = getenv("FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }
    private static let reader = target?.reader

    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 2, arguments[1] == "--list" {
            for target in FuzzTarget.allCases { print(target.rawValue) }
            return
        }
        guard let reader else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            fail("the environment's FUZZ_TARGET names none of these: \(names)")
        }
        if arguments.count == 2, arguments[1] == "--sources" {
            for source in reader.sources { print(source) }
            return
        }
        if arguments.count == 3, try command(arguments[1], FilePath(arguments[2]), reader) { return }
        var (count, values): (Int32, _) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
        exit(
            LLVMFuzzerRunDriver(&count, &values) { data, size in
                Fuzzing.reader?.run(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            })
    }

    /// - Returns: whether it was a command of this program.
    private static func command(_ name: String, _ path: FilePath, _ reader: FuzzedReader) throws -> Bool {
        switch name {
        case "--samples":
            for (index, sample) in (try reader.samples() + faults()).enumerated() {
                try OutputFile.write(path.appending("sample\(index)")) { try $0.write(sample) }
            }
        case "--dictionary":
            try OutputFile.write(path) { try $0.write(dictionary(of: reader.words).utf8) }
        case "--run":
            for (_, bytes) in try files(in: path) { reader.run(bytes) }
        case "--describe":
            for (name, bytes) in try files(in: path) {
                if let line = try? reader.describe?(bytes) { print("\(name)\t\(line)") }
            }
        default: return false
        }
        return true
    }

    /// The inputs of earlier findings, which are written as annotated hexadecimal text.
    private static func faults() throws -> [[UInt8]] {
        let folder = FilePath(#filePath).removingLastComponent().appending("Faults").appending(target?.rawValue ?? "")
        return ((try? files(in: folder)) ?? []).map { hex(String(decoding: $0.bytes, as: UTF8.self)) }
    }

    /// libFuzzer's form: `"\x66ree"`.
    private static func dictionary(of words: [String]) -> String {
        words.map { word in
            let text = word.utf8.map { byte in
                let isPlain = (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                let digits = String(byte, radix: 16)
                return isPlain ? String(Unicode.Scalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + digits
            }
            return "\"\(text.joined())\"\n"
        }.joined()
    }

    /// Ends the process, which libFuzzer takes for a finding.
    static func fail(_ sentence: String) -> Never {
        _ = try? FileDescriptor.standardError.writeAll("error: \(sentence)\n".utf8)
        abort()
    }

    /// A finding that is no crash of itself.
    static func expect(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { fail(sentence()) }
    }

    /// What must succeed after something else did.
    static func must<Value>(_ sentence: String, _ body: () throws -> Value) -> Value {
        do {
            return try body()
        } catch {
            fail("\(sentence): \(error)")
        }
    }
}
