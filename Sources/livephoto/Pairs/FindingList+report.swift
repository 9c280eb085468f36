import LivePhotoBatch
import LivePhotoKit

extension FindingList {
    /// What is wrong in folders that were verified.
    init(of report: LibraryReport) {
        self.init(title: "Verification")
        for pair in report.pairs { for finding in pair.findings { add([pair.photo, pair.movie], finding) } }
        for photo in report.motionPhotos { for finding in photo.findings { add([photo.file], finding) } }
        for file in report.files { add(file.files, file.finding) }
        for error in report.unreadable { add(Finding(error, [error.file].compactMap(\.self))) }
        counts = [
            ("Live Photos", report.pairs.count), ("Motion photos", report.motionPhotos.count),
            ("Other files", report.ordinaryFiles), ("Unreadable", report.unreadable.count),
        ]
    }

    private mutating func add(_ files: [FilePath], _ finding: LivePhotoKit.Finding) {
        let doubt = Doubt("\(finding.severity.rawValue): \(finding.message)", advice: finding.rule.remedy)
        add(Finding(files, doubt))
    }
}
