import MediaModel
import Testing

@Suite struct FileNameDateTests {
    @Test(arguments: [
        // Android's cameras
        "IMG_20250912_134510.jpg", "VID_20250912_134510.mp4", "VID_20250912_134510123.mp4", "IMG20250912134510.jpg",
        "VID20250912134510.mp4", "20250912_134510.mp4", "20250912_134510(0).mp4", "20250912134510.mts",
        "IMG_20250912_134510~2.jpg", "IMG_20250912_134510_HDR.jpg", "MVIMG_20250912_134510.jpg",
        "00100lPORTRAIT_00100_BURST20250912134510123_COVER.jpg", "IMG_20250912_134510_00_001.insv",
        "IMG_20250912_134510",
        "C360_2025-09-12-13-45-10-789.jpg", "InShot_20250912_134510123.mp4", "lv_0_20250912134510.mp4",
        "相机20250912134510.mp4", "vid_20250912_134510(1).MP4",
        // Windows
        "WP_20250912_13_45_10_Pro.mp4", "WIN_20250912_13_45_10_Pro.mp4", "Screenshot 2025-09-12 134510.png",
        "Game 2025-09-12 13-45-10.mp4", "bandicam 2025-09-12 13-45-10-123.mp4",
        "Desktop 2025.09.12 - 13.45.10.01.mp4", "Game 2025.09.12 - 13.45.10.02.DVR.mp4",
        // Recorders of the screen
        "Screenshot_20250912-134510.png", "Screenshot_20250912-134510_Chrome.jpg",
        "Screenshot_20250912_134510_com.app.jpg", "Screenshot_2025-09-12-13-45-10-123_com.miui.home.jpg",
        "Screen_Recording_20250912_134510_YouTube.mp4", "Screenrecorder-2025-09-12-13-45-10-123.mp4",
        "screen-20250912-134510.mp4", "Record_2025-09-12-13-45-10.mp4", "SVID_20250912_134510_1.mp4",
        "ScreenRecording_09-12-2025 13-45-10_1.MP4", "Screenshot from 2025-09-12 13-45-10.png",
        "Screencast From 2025-09-12 13-45-10.mp4", "Screencast from 2025-09-12 13-45-10.webm",
        "simplescreenrecorder-2025-09-12_13.45.10.mkv", "2025-09-12 13-45-10.mkv", "2025-09-12_13-45-10.mkv",
        "Replay 2025-09-12 13-45-10.mkv", "vlc-record-2025-09-12-13h45m10s-film.mp4",
        // macOS
        "Screen Recording 2025-09-12 at 13.45.10.mov", "Screen Recording 2025-09-12 at 1.45.10\u{202F}PM.mov",
        "Screenshot 2025-09-12 at 1.45.10 PM.png", "Screen Shot 2025-09-12 at 1.45.10 PM.png",
        "Bildschirmaufnahme 2025-09-12 um 13.45.10.mov", "Enregistrement 2025-09-12 \u{E0} 13.45.10.mov",
        "Enregistrement 2025-09-12 a\u{300} 13.45.10.mov", "Grabacio\u{301}n 2025-09-12 a las 13.45.10.mov",
        "画面収録 2025-09-12 13.45.10.mov",
        // Messengers and clouds
        "2025-09-12 13.45.10.mp4", "2025-09-12 13.45.10-1.mp4", "2025-09-12 13.45.10 HDR.jpg",
        "signal-2025-09-12-13-45-10-123.mp4", "signal-2025-09-12-134510.mp4", "signal-2025-09-12-134510_002.jpeg",
        "signal-attachment-2025-09-12-134510.mp4", "VID_20250912_134510_123.mp4", "video_2025-09-12_13-45-10.mp4",
        "video_12@12-09-2025_13-45-10.mp4", "WhatsApp Video 2025-09-12 at 13.45.10.mp4",
        "WhatsApp Image 2025-09-12 at 1.45.10 PM.jpeg", "WhatsApp Video 2025-09-12 at 13.45.10_a1b2c3d4.mp4",
        "00000012-VIDEO-2025-09-12-13-45-10.mp4",
        // Drones and cameras of cars
        "DJI_20250912134510_0001_D.MP4", "dji_fly_20250912_134510_1_1757684710123_video.mp4",
        "2025_0912_134510_001.MP4", "20250912_134510_NF.mp4", "REC_2025_09_12_13_45_10_F.MP4",
        "NO20250912-134510-000123F.mp4", "2025-09-12_13-45-10-front.mp4", "RecM01_20250912_134510_134530_0.mp4",
        "ch01_20250912134510.mp4",
        // ISO 8601
        "2025-09-12T13:45:10.mp4", "20250912T134510.mp4", "2025-09-12T13-45-10.mp4",
    ])
    func `a name has the local time`(name: String) throws {
        let found = try #require(FileNameDate(name))
        #expect(found.date.iso8601 == "2025-09-12T13:45:10" && found.hasTime)
    }

    @Test(arguments: [
        ("PXL_20250912_134510123.mp4", "2025-09-12T13:45:10+0000"),
        ("PXL_20250912_134510123.MP.jpg", "2025-09-12T13:45:10+0000"),
        ("PXL_20250912_134510123.TS~2.mp4", "2025-09-12T13:45:10+0000"),
        ("GMT20250912-134510_Recording_1920x1080.mp4", "2025-09-12T13:45:10+0000"),
        ("20250912T134510Z.mp4", "2025-09-12T13:45:10+0000"),
        ("2025-09-12T13-45-10+0200.mp4", "2025-09-12T13:45:10+0200"),
        ("20250912T134510-0330.mp4", "2025-09-12T13:45:10-0330"),
        ("abc-defg-hij (2025-09-12 13_45 GMT+2).mp4", "2025-09-12T13:45:00+0200"),
        ("abc-defg-hij (2025-09-12 13_45 GMT-7).mp4", "2025-09-12T13:45:00-0700"),
        ("IMG_20250912_134510+0200.jpg", "2025-09-12T13:45:10+0200"),
        ("2025-09-12_13-45-10+02:00.mp4", "2025-09-12T13:45:10+0200"),
        ("RPReplay_Final1757684710.mp4", "2025-09-12T13:45:10+0000"),
        ("FB_IMG_1757684710123.jpg", "2025-09-12T13:45:10+0000"),
        ("mmexport1757684710123.mp4", "2025-09-12T13:45:10+0000"),
        // Not zones
        ("20250912T134510-0001.mp4", "2025-09-12T13:45:10"), ("2025-09-12_13-45-10-0200.mp4", "2025-09-12T13:45:10"),
        ("20250912_134510Zoo.mp4", "2025-09-12T13:45:10"), ("Trip PXL_20250912_134510123.mp4", "2025-09-12T13:45:10"),
    ])
    func `a name has its zone only where one is known`(name: String, date: String) throws {
        #expect(try #require(FileNameDate(name)).date.iso8601 == date)
    }

    @Test(arguments: [
        ("Screen Recording 2025-09-12 at 12.00.10 AM.mov", "2025-09-12T00:00:10"),
        ("Screen Recording 2025-09-12 at 12.00.10 PM.mov", "2025-09-12T12:00:10"),
        ("Screen Recording 2025-09-12 at 9.05.10.mov", "2025-09-12T09:05:10"),
        ("Peek 2025-09-12 13-45.gif", "2025-09-12T13:45:00"), ("2025-09-12_13-45.mp4", "2025-09-12T13:45:00"),
        ("2025-09-12T13.45.mp4", "2025-09-12T13:45:00"), ("Recording 2025-09-12 at 13.45.mov", "2025-09-12T13:45:00"),
        ("2024-02-29 23.59.59.mp4", "2024-02-29T23:59:59"),
        ("VID-20190101-WA0001 2025-09-12 13.45.10.mp4", "2025-09-12T13:45:10"),
    ])
    func `a name has another time`(name: String, date: String) throws {
        #expect(try #require(FileNameDate(name)).date.iso8601 == date)
    }

    @Test(arguments: [
        "VID-20250912-WA0001.mp4", "IMG-20250912-WA0012.jpg", "20250912_C0001.MP4", "2025-09-12.mp4", "20250912.mp4",
        "2025-09-12 Beach.mp4", "Beach 2025.09.12.mp4", "Beach_2025_09_12_1.mp4", "2025-09-12_1920x1080.mp4",
        "2025-09-12_0001.mp4", "2025-09-12-13-45.mp4", "2025_09_12_13_45.mp4", "20250912_1345.mp4",
        "2025-09-12_13-45 Paris.jpg", "2025-09-12, 12.50 EUR.jpg",
        "20250912-1080p.mp4", "20250912.3gp", "2025-09-12 to 2025-09-12.mp4",
    ])
    func `a name has a day without a time, which is noon`(name: String) throws {
        let found = try #require(FileNameDate(name))
        #expect(found.date.iso8601 == "2025-09-12T12:00:00" && !found.hasTime)
    }

    @Test(arguments: [
        // Impossible
        "VID_20250230_134510.mp4", "VID_20251301_134510.mp4", "VID_20250912_256199.mp4", "VID_20250912_134560.mp4",
        "2025-02-29 13.45.10.mp4", "2025-09-12 24.00.00.mp4", "Recording 2025-09-12 at 13.45.10 PM.mov",
        "VID-20250931-WA0001.mp4", "00000000_000000.mp4", "2025-00-00.mp4", "PXL_20250230_134510123.mp4",
        "RPReplay_Final0000000000.mp4", "RPReplay_Final17576847101.mp4", "video_1@31-02-2025_13-45-10.mp4",
        "ScreenRecording_13-12-2025 13-45-10_1.MP4",
        // Other numbers
        "IMG_1234.MOV", "GX010001.MP4", "C0001.MP4", "DJI_0001.MP4", "video1757684710.mp4", "12345678.mp4",
        "received_1234567890123456.mp4", "Snapchat-1234567890.mp4", "20190312345.mp4", "2025091213451012.mp4",
        "film.1920x1080.mp4", "19452045.mp4", "20201080.mp4", "A20250912.mp4", "v2025.09.12.mp4", "2025.mp4",
        "ab1f20250912134510.mp4", "f20250912134510.mp4", "E8A1C7D2-2025-0912-1345-101234567890.mp4",
        "20250912-1345-4abc-8def-0123456789ab.mp4", "telegram-cloud-document-2-5377820250912134510.mp4",
        // The order of day and month is unknown
        "12-09-2025 13.45.10.mp4", "Screencast from 12.09.2025 13:45:10.webm", "XRecorder_12092025_134510.mp4",
        "Forza 9_12_2025 1_45_10 PM.mp4", "FILE250912-134510F.MP4",
        // Several days
        "2025-09-12 to 2025-09-14.mp4",
        "", ".", "-", "@", "2025-", "20250912T", String(repeating: "20250912", count: 3_000),
    ])
    func `other names have no date, or not for sure`(name: String) {
        #expect(FileNameDate(name) == nil)
    }

    @Test(arguments: ["VID_20250912_134510.mp4", "2025-09-12T13:45:10+02:00", "Rec 2025-09-12 at 1.45.10 PM", "@1-"])
    func `every beginning and end of a name can be read`(name: String) {
        for count in 0...name.count {
            _ = FileNameDate(String(name.prefix(count)))
            _ = FileNameDate(String(name.suffix(count)))
        }
    }
}

@Suite struct UnixTimeTests {
    @Test(arguments: [
        (0, 0, "1970-01-01T00:00:00+0000"), (1_757_677_510, 0, "2025-09-12T11:45:10+0000"),
        (1_757_677_510, 120, "2025-09-12T13:45:10+0200"), (1_757_677_510, -720, "2025-09-11T23:45:10-1200"),
        (-1, 0, "1969-12-31T23:59:59+0000"), (951_782_400, 0, "2000-02-29T00:00:00+0000"),
        (-62_135_596_800, 0, "0001-01-01T00:00:00+0000"), (253_402_300_799, 0, "9999-12-31T23:59:59+0000"),
    ])
    func `a moment is a local time, and back`(seconds: Int64, offset: Int, text: String) throws {
        let date = try #require(CaptureDate(secondsSince1970: seconds, utcOffset: offset))
        #expect(date.iso8601 == text && date.secondsSince1970 == seconds)
    }

    @Test(arguments: [
        -62_135_596_801, 253_402_300_800, Int64.min, Int64.max,
    ])
    func `a moment outside of the years 1 to 9999 is no date`(seconds: Int64) {
        #expect(CaptureDate(secondsSince1970: seconds) == nil)
    }
}
