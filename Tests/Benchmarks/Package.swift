// swift-tools-version: 6.1
import PackageDescription

// Of its own, so that nobody who builds livephoto needs the package that measures.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "livephoto", path: "../.."),
        // Without its traits, which count allocations and need a library more.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "LivePhotoKitBenchmarks",
            dependencies: [
                .product(name: "LivePhotoKit", package: "livephoto"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/LivePhotoKitBenchmarks",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ]
)
