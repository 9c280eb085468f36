/// The version of both programs, which have to be of the same.
package enum ProgramVersion {
    package static let current = "0.1.0"
}
