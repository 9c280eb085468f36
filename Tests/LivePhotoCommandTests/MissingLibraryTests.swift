import Foundation
import TestSupport
import Testing

/// FFmpeg's libraries and libheif are found, but are none: what needs them says so, and all else does without.
@Suite struct MissingLibraryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Data(DevicePair.photo).write(to: folder.url.appendingPathComponent("IMG_1.HEIC"))
        try Data(DevicePair.movie).write(to: folder.url.appendingPathComponent("IMG_1.MOV"))
        try Data("version: 1\njobs: [{input: IMG_1.MOV}]".utf8).write(
            to: folder.url.appendingPathComponent("jobs.yaml"))
    }

    /// - Parameter missing: libraries in whose place the loader finds another file.
    private func run(_ arguments: [String], without missing: [String]) throws -> Outcome {
        let libraries = try TemporaryFolder()
        for name in try Self.sonames.get() where missing.contains(where: name.hasPrefix) {
            try Data("no library".utf8).write(to: libraries.url.appendingPathComponent(name))
        }
        return try Program.system(
            "LD_LIBRARY_PATH=\(libraries.url.path)", [Program.livephoto.path] + arguments, in: folder.url)
    }

    /// As `libavcodec.so.59`.
    private static let sonames = Result {
        let libraries = try Program.livephoto("doctor").output.matches(of: /(lib(?:av[a-z]+|heif)) +([0-9]+)\./)
        // libheif's has kept its number.
        return libraries.map { "\($0.1).so.\($0.1 == "libheif" ? "1" : $0.2)" }
    }

    private static let all = ["libavutil", "libavcodec", "libavformat", "libavfilter", "libheif"]

    @Test(arguments: all)
    func `a conversion says which library is missing before it does anything`(library: String) throws {
        let before = folder.contents
        let outcome = try run(["convert", "IMG_1.MOV", "--name", "new"], without: [library])
        #expect(outcome.status == 69 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("error: ") && outcome.errors.contains("/\(library).so."))
        #expect(outcome.errors.hasSuffix("; install the library, or reinstall livephoto\n"))
        #expect(folder.contents == before)
    }

    @Test(arguments: ["libqrencode.so.4", "libgnutls.so.30"])
    func `sharing says which library is missing, and doctor too`(library: String) throws {
        try SamplePair.copyConverted(to: folder.url)
        let libraries = try TemporaryFolder()
        try Data("no library".utf8).write(to: libraries.url.appendingPathComponent(library))
        func run(_ arguments: String...) throws -> Outcome {
            try Program.system(
                "LD_LIBRARY_PATH=\(libraries.url.path)", [Program.livephoto.path] + arguments, in: folder.url)
        }
        let shared = try run("share", "beach.JPG")
        #expect(shared.status == 69 && shared.output.isEmpty && shared.errors.contains(library), "\(shared.errors)")
        // The worker needs GnuTLS too, by way of FFmpeg, and doctor names one thing.
        guard library.hasPrefix("libqrencode") else { return }
        let doctor = try run("doctor")
        #expect(doctor.output.contains(/sharing +missing \(.*/) && doctor.output.contains(library), "\(doctor.output)")
    }

    @Test(arguments: [
        ["batch", "jobs.yaml", "--output", "new"], ["verify", "--pixels", "IMG_1.HEIC"],
        ["link", "IMG_1.HEIC", "IMG_1.MOV", "--find-still", "--output", "new"],
    ])
    func `what decodes ends with the status of a library that is missing`(arguments: [String]) throws {
        let before = folder.contents
        let outcome = try run(arguments, without: Self.all)
        #expect(outcome.status == 69 && outcome.output.isEmpty && outcome.errors.contains(/\/lib(av[a-z]+|heif)\.so\./))
        #expect(folder.contents == before)
    }

    @Test(arguments: [
        ("libheif", "sudo apt install libheif1"), ("libavutil", "sudo apt install libavcodec-extra libavfilter-extra"),
    ])
    func `doctor names the library that is missing, and only its packages`(library: String, command: String) throws {
        let outcome = try run(["doctor"], without: [library])
        #expect(outcome.status == 1 && outcome.errors.isEmpty)
        #expect(outcome.output.firstMatch(of: /library +MISSING +\(.*lib[a-z]+\.so\.[0-9]+:/) != nil)
        #expect(outcome.output.contains("livephoto-media cannot be loaded without \(library).\n"))
        #expect(outcome.output.contains(" \(command)\n"), "\(outcome.output)")
    }

    @Test(arguments: [
        ["--version"], ["--help"], ["convert", "--help"], ["rules"], ["presets", "list"], ["inspect", "IMG_1.MOV"],
        ["inspect", "--json", "IMG_1.HEIC"], ["verify", "IMG_1.HEIC"], ["verify", "--json", "."],
        ["unlink", "IMG_1.HEIC", "--output", "new"], ["link", "IMG_1.HEIC", "IMG_1.MOV", "--output", "new"],
        ["link", "--by-name", ".", "--output", "new"],
        ["pack", "IMG_1.HEIC", "--as", "motion-photo", "--no-audio", "-o", "new.heic"],
        ["batch", "jobs.yaml", "--dry-run"],
    ])
    func `what decodes nothing needs none of the libraries`(arguments: [String]) throws {
        let outcome = try run(arguments, without: Self.all)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.errors.contains("libav"))
    }

    #if os(Linux)
        @Test func `the front links no media library, and only the small part of Foundation`() throws {
            let libraries = try Program.system("ldd", [Program.livephoto.path]).output
            #expect(libraries.contains("libyaml") && libraries.contains("libnettle"))
            let unwanted = /lib(av[a-z]+|heif|Foundation|_FoundationICU|FoundationInternationalization|icu[a-z]+)\.so/
            #expect(libraries.firstMatch(of: unwanted) == nil, "\(libraries)")
        }
    #endif
}
