// swift-tools-version: 6.2
import PackageDescription

// Scripts/check and Scripts/test set this. It is not the default: newer compilers and libraries deprecate functions, which
// must not break the build of a user.
let warningsAreErrors = Context.environment["WARNINGS_AS_ERRORS"] == "1"

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

// Scripts/test runs the tests with optimized libraries and programs. To optimize the tests too would take longer than it saves.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// What `livephoto --version` names; Scripts/livephoto and packagers set it. SwiftPM caches the manifest without regard to
// commits, so Context.gitInformation would name an old one.
let commit = Context.environment["LIVEPHOTO_COMMIT"].flatMap { $0.isEmpty ? nil : $0 }
if let commit, !commit.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".+~-".contains($0)) }) {
    fatalError("LIVEPHOTO_COMMIT may contain only letters, digits and . + ~ -")
}

// The files of the studio's page, which are parts of the program.
let studioPage = [
    "actions.js", "api.js", "choice.js", "crop.js", "dom.js", "drops.js", "editor.css", "editor.js", "fields.js",
    "filmstrip-canvas.js", "filmstrip-pointers.js", "filmstrip.js", "folder.js", "frames.js", "geometry.js",
    "handles.js", "history.js", "icon.svg", "icons.js", "index.html", "items.js", "jobs.js", "keys.js",
    "livepreview.js", "main.js", "makebar.js", "moments.js", "open.js", "outcome.js", "pack.js", "panel-adjust.js",
    "panel-crop.js", "panel-details.js", "panel-effects.js", "panel-moment.js", "panel-parts.js", "panel.js",
    "phone.js", "picture.js", "planner.js", "playback.js", "result.js", "single-frames.js", "start.js", "studio.css",
    "thumbnails.js", "time.js", "timeline.js", "transport.js", "tray.js", "viewer.js", "viewstate.js", "words.js",
]

// The imports allowed between targets are the dependencies below; Scripts/check holds the sources to them.
let package = Package(
    name: "livephoto",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "livephoto", targets: ["livephoto"]),
        .executable(name: "livephoto-media", targets: ["livephoto-media"]),
        .executable(name: "livephoto-server", targets: ["livephoto-server"]),
        .library(name: "LivePhotoKit", targets: ["LivePhotoKit"]),
        .library(name: "LivePhotoRequests", targets: ["LivePhotoRequests"]),
        .library(name: "LivePhotoConversion", targets: ["LivePhotoConversion"]),
        .library(name: "LivePhotoWorker", targets: ["LivePhotoWorker"]),
        .library(name: "LivePhotoBatch", targets: ["LivePhotoBatch"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        // Without its trait, which imports all of Foundation.
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
        // HTTP for the server.
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    ],
    targets: [
        // Pure Swift but for zlib and Nettle: pairs, read and written.
        // Calls of the C library that Swift's module of it leaves out.
        .systemLibrary(name: "CFileSystem"),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(
            name: "Bytes",
            dependencies: [
                "CZlib",
                .target(name: "CFileSystem", condition: .when(platforms: [.linux])),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .target(name: "MediaModel", swiftSettings: settings),
        .target(name: "ISOBMFF", dependencies: ["Bytes"], swiftSettings: settings),
        .target(name: "QuickTime", dependencies: ["ISOBMFF", "Bytes", "MediaModel"], swiftSettings: settings),
        .target(name: "StillImage", dependencies: ["ISOBMFF", "Bytes", "MediaModel"], swiftSettings: settings),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
        .target(name: "Digests", dependencies: ["CNettle", "Bytes", "MediaModel"], swiftSettings: settings),
        // Everything about files that knows no Live Photos.
        .target(
            name: "Files",
            dependencies: [
                "Digests", "Bytes", "MediaModel", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .target(
            name: "LivePhotoKit",
            dependencies: [
                "Files", "Digests", "Bytes", "MediaModel", "QuickTime", "StillImage",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),

        // Conversion requests: options, presets, the YAML of presets and job files. No media, no FFmpeg.
        .target(
            name: "PresetFiles",
            path: "Presets",
            resources: [
                .embedInCode("classic.yaml"), .embedInCode("compact.yaml"), .embedInCode("modern.yaml"),
                .embedInCode("smooth.yaml"), .embedInCode("wallpaper.yaml"),
            ],
            swiftSettings: settings),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .target(
            name: "LivePhotoRequests",
            dependencies: [
                "LivePhotoPages",
                "LivePhotoKit", "Bytes", "MediaModel", "StillImage", "PresetFiles", "CYAML",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),

        // With FFmpeg's libraries and libheif: clips into pairs.
        .systemLibrary(
            name: "CFFmpeg",
            pkgConfig: "libavfilter",
            providers: [.apt(["libavfilter-dev", "libavformat-dev"]), .brew(["ffmpeg"])]),
        .systemLibrary(name: "CHeif", pkgConfig: "libheif", providers: [.apt(["libheif-dev"]), .brew(["libheif"])]),
        .target(
            name: "CFFmpegLog",
            dependencies: ["CFFmpeg"],
            cSettings: [.enableWarning("all")] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])),
        .target(
            name: "FFmpegKit",
            dependencies: [
                "CFFmpeg", "CFFmpegLog", "Bytes", "MediaModel",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings,
            // libavfilter's own file for pkg-config names the others only for static linking.
            linkerSettings: ["avformat", "avcodec", "avutil"].map { .linkedLibrary($0) }),
        .systemLibrary(
            name: "CVidStab", pkgConfig: "vidstab", providers: [.apt(["libvidstab-dev"]), .brew(["libvidstab"])]),
        .target(name: "VidStabKit", dependencies: ["CVidStab", "MediaModel"], swiftSettings: settings),
        .target(
            name: "HeifKit", dependencies: ["CHeif", "StillImage", "ISOBMFF", "Bytes", "MediaModel"],
            swiftSettings: settings),
        .target(
            name: "LivePhotoConversion",
            dependencies: [
                "FFmpegKit", "HeifKit", "VidStabKit", "LivePhotoRequests", "LivePhotoKit", "Bytes", "MediaModel",
                "QuickTime", "StillImage",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        // Locks a process in, with what the system has for it.
        .systemLibrary(name: "CSandbox", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .target(
            name: "WorkerSandbox",
            dependencies: [.target(name: "CSandbox", condition: .when(platforms: [.linux]))],
            swiftSettings: settings),
        // The worker: the only program that is linked with them.
        .executableTarget(
            name: "livephoto-media",
            dependencies: [
                "LivePhotoConversion", "FFmpegKit", "WorkerSandbox", "LivePhotoRequests", "LivePhotoKit", "Bytes",
                "MediaModel",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),

        // Without them: the worker's client, many clips at a time, the program.
        .target(
            name: "LivePhotoWorker",
            dependencies: [
                "LivePhotoRequests", "LivePhotoKit", "MediaModel",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        // The frame, style and escaping of HTML pages.
        .target(
            name: "LivePhotoPages", dependencies: ["Digests", "MediaModel"],
            resources: ["page.css", "live-photo-view.js", "live-photo.js"].map { .embedInCode($0) },
            swiftSettings: settings),
        .target(
            name: "LivePhotoBatch",
            dependencies: [
                "LivePhotoWorker", "LivePhotoPages", "LivePhotoRequests", "LivePhotoKit", "Digests", "Bytes",
                "MediaModel",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        // Live Photos for phones in the same network: an HTTP server that knows no Live Photos, and what it shares.
        .systemLibrary(
            name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"]), .brew(["gnutls"])]),
        .target(
            name: "WebServer",
            dependencies: [
                "CGnuTLS", "Files", "Digests", "Bytes", "MediaModel",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .target(name: "QRKit", dependencies: ["CQREncode"], swiftSettings: settings),
        .target(
            name: "LivePhotoShare",
            dependencies: [
                "WebServer", "QRKit", "LivePhotoBatch", "LivePhotoWorker", "LivePhotoPages", "LivePhotoRequests",
                "LivePhotoKit", "Files", "Digests", "Bytes", "MediaModel",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            resources: [.embedInCode("Page/share.css"), .embedInCode("Page/share.js")],
            swiftSettings: settings),
        // The window: a page for one clip or a library, and what it asks for.
        .target(
            name: "LivePhotoStudio",
            dependencies: [
                "LivePhotoShare", "WebServer", "LivePhotoBatch", "LivePhotoWorker", "LivePhotoPages",
                "LivePhotoRequests", "LivePhotoKit", "Files", "Bytes", "MediaModel",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            resources: studioPage.map { .embedInCode("Page/\($0)") },
            swiftSettings: settings),
        .executableTarget(
            name: "livephoto-server",
            dependencies: [
                "LivePhotoShare", "LivePhotoStudio", "LivePhotoRequests", "LivePhotoKit",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .target(name: "CBuild", cSettings: commit.map { [.define("LIVEPHOTO_COMMIT", to: "\"\($0)\"")] } ?? []),
        .executableTarget(
            name: "livephoto",
            dependencies: [
                "LivePhotoBatch", "LivePhotoWorker", "LivePhotoPages", "LivePhotoRequests", "LivePhotoKit",
                "MediaModel",
                "CBuild",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),

        // What several test targets share: temporary folders, processes, sample pairs and clips, random numbers.
        .target(
            name: "TestSupport",
            dependencies: [
                "LivePhotoKit", "QuickTime", "StillImage", "ISOBMFF", "Bytes", "MediaModel",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "BytesTests",
            dependencies: ["Bytes", "TestSupport", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: testSettings),
        .testTarget(
            name: "ISOBMFFTests",
            dependencies: [
                "ISOBMFF", "Bytes", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(name: "MediaModelTests", dependencies: ["MediaModel"], swiftSettings: testSettings),
        .testTarget(
            name: "QuickTimeTests",
            dependencies: [
                "QuickTime", "ISOBMFF", "Bytes", "MediaModel", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "StillImageTests",
            dependencies: [
                "StillImage", "ISOBMFF", "Bytes", "MediaModel", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "FilesTests",
            dependencies: [
                "Files", "Bytes", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "LivePhotoKitTests",
            dependencies: [
                "TestSupport", "LivePhotoKit", "Files", "QuickTime", "StillImage", "ISOBMFF", "Digests", "Bytes",
                "MediaModel",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "LivePhotoRequestsTests",
            dependencies: [
                "LivePhotoRequests", "LivePhotoKit", "MediaModel", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "FFmpegKitTests",
            dependencies: [
                "FFmpegKit", "Bytes", "MediaModel", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "HeifKitTests",
            dependencies: [
                "HeifKit", "MediaModel", "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(name: "VidStabKitTests", dependencies: ["VidStabKit", "MediaModel"], swiftSettings: testSettings),
        .testTarget(
            name: "LivePhotoConversionTests",
            dependencies: [
                "LivePhotoConversion", "LivePhotoRequests", "LivePhotoKit", "FFmpegKit", "HeifKit", "VidStabKit",
                "QuickTime", "StillImage",
                "Bytes", "MediaModel",
                "TestSupport", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(name: "LivePhotoPagesTests", dependencies: ["LivePhotoPages"], swiftSettings: testSettings),
        .testTarget(
            name: "WebServerTests",
            dependencies: [
                "WebServer", "Files", "Bytes", "TestSupport", .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "LivePhotoShareTests",
            dependencies: [
                "LivePhotoShare", "LivePhotoRequests", "WebServer", "QRKit",
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "LivePhotoStudioTests", dependencies: ["LivePhotoStudio", "LivePhotoRequests"],
            swiftSettings: testSettings),
        .testTarget(
            name: "LivePhotoBatchTests",
            dependencies: [
                "livephoto", "livephoto-media", "LivePhotoBatch", "LivePhotoWorker", "LivePhotoConversion",
                "LivePhotoRequests", "LivePhotoKit", "Digests", "Bytes", "MediaModel", "StillImage",
                "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
        // A program that locks itself in and tries what it may not do.
        .target(name: "SandboxAttempts", dependencies: ["CSandbox"], path: "Tests/SandboxProbe/Attempts"),
        .executableTarget(
            name: "sandbox-probe", dependencies: ["SandboxAttempts", "WorkerSandbox"],
            path: "Tests/SandboxProbe/Program", swiftSettings: settings),
        .testTarget(
            name: "WorkerSandboxTests", dependencies: ["sandbox-probe", "TestSupport"], swiftSettings: testSettings),
        // Runs the program as its users do, as a process.
        .testTarget(
            name: "LivePhotoCommandTests",
            dependencies: [
                "livephoto", "livephoto-media", "livephoto-server", "sandbox-probe", "TestSupport", "QuickTime",
                "Bytes", "MediaModel",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: testSettings),
    ]
)

// Scripts/livephoto sets this, to build both programs in one call, in parallel, and nothing for tests.
if Context.environment["LIVEPHOTO_ONLY_PROGRAMS"] == "1" {
    package.targets.removeAll { $0.isTest || $0.path?.hasPrefix("Tests/") == true }
}

// Scripts/trial fuzz sets this. Only the code of the libraries reports what it runs: libFuzzer reads all such counters after each
// run, and those of the fuzzer itself would count as code of a reader.
if Context.environment["FUZZING"] == "1" {
    for target in package.targets where target.name != "TestSupport" {
        target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-sanitize=fuzzer"]))
    }
}
// Links to libFuzzer, which the script finds. In this package, because others do not see what is `package`.
if ["1", "coverage"].contains(Context.environment["FUZZING"]) {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzzing/CLibFuzzer"),
        .executableTarget(
            name: "Fuzzing",
            dependencies: [
                "CLibFuzzer", "TestSupport", "LivePhotoStudio", "WebServer", "LivePhotoBatch", "LivePhotoWorker",
                "LivePhotoRequests", "LivePhotoKit", "Files", "StillImage", "QuickTime", "ISOBMFF", "Bytes",
                "MediaModel",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Fuzzing",
            exclude: ["CLibFuzzer", "Faults"],
            swiftSettings: settings),
    ]
}
