/// The paths of a share below its root. Live Photos have numbers.
enum SharePath {
    static let (allBundles, allFiles, latest) = ("all.pvt.zip", "all.zip", "latest.json")
    /// Browsers ask for it by themselves.
    static let icon = "favicon.ico"

    static func page(for device: Device) -> String { "for/\(device.rawValue)" }
    static func photo(_ index: Int) -> String { "\(index)/photo" }
    static func movie(_ index: Int) -> String { "\(index)/movie" }
    static func bundle(_ index: Int) -> String { "\(index)/pvt.zip" }
    static func files(_ index: Int) -> String { "\(index)/zip" }
    static func motionPhoto(_ index: Int) -> String { "\(index)/motion-photo" }
}
