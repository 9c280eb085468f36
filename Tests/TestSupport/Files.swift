import Foundation
package import SystemPackage

package func read(_ path: FilePath) throws -> String {
    try String(contentsOfFile: path.string, encoding: .utf8)
}

package func write(_ text: String, to path: FilePath) throws {
    try text.write(toFile: path.string, atomically: false, encoding: .utf8)
}

package func makeDirectory(_ path: FilePath, permissions: Int = 0o777) throws {
    try FileManager.default.createDirectory(
        atPath: path.string, withIntermediateDirectories: false, attributes: [.posixPermissions: permissions])
}
