import Bytes
import Foundation

/// The tracks with timed metadata (`mebx`).
extension DevicePair {
    /// How the phone was held.
    static let orientationTrack = """
        00000251 'trak'
          0000005c 'tkhd'
            0000000f b6a11eda b6a11eda  ; enabled, in movie, preview and poster; made, changed
            00000003 00000000 00000320  ; track 3; 800 ticks
            00000000 00000000 0000 0000 0000 0000  ; layer, group, volume
            00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000  ; the identity matrix
            00000000 00000000  ; no size
          00000024 'edts'
            0000001c 'elst'
              00000000 00000001  ; version and flags, 1 entry
              00000320 00000000 00010000  ; all of the media
          000001c9 'mdia'
            00000020 'mdhd'
              00000000 b6a11eda b6a11eda  ; made, changed
              00000258 00000320 55c4 0000  ; 800 ticks of 1/600 s; language und
            \(metadataHandler)
            0000016d 'minf'
              \(baseHeader)
              \(dataHandler)
              000000e9 'stbl'
                00000085 'stsd'
                  00000000 00000001  ; one entry
                  00000075 'mebx'
                    00000000 0000 0001  ; data reference 1
                    00000065 'keys'  ; no version, flags, count
                      0000005d 00000001  ; local id 1
                        00000031 'keyd'
                          'mdtacom.apple.quicktime.video-orientation'
                        00000010 'dtyp'
                          00000000 00000042  ; int16
                        00000014 'sdpd'
                          0000000c 'sdpi'
                            00000000
                00000018 'stts'
                  00000000 00000001  ; one run
                  00000001 00000320  ; one sample of 800 ticks
                0000001c 'stsc'
                  00000000 00000001  ; one run
                  00000001 00000001 00000001
                00000014 'stsz'
                  00000000 0000000a 00000001  ; 1 sample of 10 bytes
                00000014 'stco'
                  00000000 00000001  ; 1 chunk
                  00000232
        """

    /// How the phone moved, frame by frame.
    static let infoTrack = """
        00000353 'trak'
          0000005c 'tkhd'
            0000000f b6a11eda b6a11eda  ; enabled, in movie, preview and poster; made, changed
            00000004 00000000 00000348  ; track 4; 840 ticks
            00000000 00000000 0000 0000 0000 0000  ; layer, group, volume
            00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000  ; the identity matrix
            00000000 00000000  ; no size
          00000024 'edts'
            0000001c 'elst'
              00000000 00000001  ; version and flags, 1 entry
              00000348 00000000 00010000  ; all of the media
          000002cb 'mdia'
            00000020 'mdhd'
              00000000 b6a11eda b6a11eda  ; made, changed
              00000258 00000348 55c4 0000  ; 840 ticks of 1/600 s; language und
            \(metadataHandler)
            0000026f 'minf'
              \(baseHeader)
              \(dataHandler)
              000001eb 'stbl'
                00000187 'stsd'
                  00000000 00000001  ; one entry
                  00000177 'mebx'
                    00000000 0000 0001  ; data reference 1
                    00000167 'keys'  ; no version, flags, count
                      0000015f 00000001  ; local id 1
                        0000002f 'keyd'
                          'mdtacom.apple.quicktime.live-photo-info'
                        00000043 'dtyp'
                          00000001 'com.apple.quicktime.com.apple.quicktime.live-photo-info'  ; a type by its name
                        00000014 'sdpd'
                          0000000c 'sdpi'
                            00000000
                        000000d1 'setu'
                          000000a1 'cfgv'  ; a binary property list
                            'bplist00'
                            d201020304  ; a dictionary of 2: keys, then values, by number
                            5f1021 'LivePhotoMetadataSetupDataVersion'
                            5d 'SystemVersion'
                            10 01  ; 1
                            d205060708  ; a dictionary of 2: keys, then values, by number
                            5b 'ProductName'
                            5e 'ProductVersion'
                            59 'iPhone OS'
                            54 '18.2'
                            080d313f414652616b  ; where each value stands
                            ; sizes of offsets and numbers; 9 value(s), the first is the whole, offsets at 112
                            0000000000000101 0000000000000009 0000000000000000 0000000000000070
                          00000010 'dims'
                            00000780 000005a0  ; 1920×1440
                          00000018 'ctps'
                            00000010 'dtyp'
                              00000000 00000000
                00000018 'stts'
                  00000000 00000001  ; one run
                  0000002a 00000014  ; 42 samples of 20 ticks
                0000001c 'stsc'
                  00000000 00000001  ; one run
                  00000001 0000002a 00000001
                00000014 'stsz'
                  00000000 0000000c 0000002a  ; 42 samples of 12 bytes
                00000014 'stco'
                  00000000 00000001  ; 1 chunk
                  0000023c
        """

    /// A movie whose `moov` is its last box, with a track 4 that has a sample for each frame: `12 bytes 100` and so on.
    package static func addingInfoTrack(to movie: [UInt8], frames: Int, frameTicks: Int) -> [UInt8] {
        func number(_ value: Int) -> String {
            String(repeating: "0", count: 8 - String(value, radix: 16).count) + String(value, radix: 16)
        }
        let samples = (0..<frames).flatMap { Array(("12 bytes " + (100 + $0).description).utf8) }
        let fields = [
            ("0000002a 00000014  ;", "\(number(frames)) \(number(frameTicks))  ;"),
            ("00000001 0000002a 00000001", "00000001 \(number(frames)) 00000001"),
            ("0000000c 0000002a", "0000000c \(number(frames))"), ("00000348", number(frames * frameTicks)),
        ]
        let text = fields.reduce(infoTrack) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        let place = movie.count + hex(text).count + 8
        // The offset of the chunk is the last field.
        let track = hex(text.dropLast(8) + number(place))
        return movie.addingToMovieBox(track) + box("mdat", samples)
    }

    /// When the key photo was taken.
    static let stillTrack = """
        0000030d 'trak'
          0000005c 'tkhd'
            0000000f b6a11eda b6a11eda  ; enabled, in movie, preview and poster; made, changed
            00000005 00000000 0000021d  ; track 5; 541 ticks
            00000000 00000000 0000 0000 0000 0000  ; layer, group, volume
            00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000  ; the identity matrix
            00000000 00000000  ; no size
          00000030 'edts'
            00000028 'elst'
              00000000 00000002  ; version and flags, 2 entries
              0000021c ffffffff 00010000  ; nothing for 540 ticks: 0.9 s
              00000001 00000000 00010000  ; then the sample
          00000279 'mdia'
            00000020 'mdhd'
              00000000 b6a11eda b6a11eda  ; made, changed
              00000258 00000001 55c4 0000  ; 1 ticks of 1/600 s; language und
            \(metadataHandler)
            0000021d 'minf'
              \(baseHeader)
              \(dataHandler)
              00000199 'stbl'
                00000135 'stsd'
                  00000000 00000001  ; one entry
                  00000125 'mebx'
                    00000000 0000 0001  ; data reference 1
                    00000115 'keys'  ; no version, flags, count
                      00000048 00000001  ; local id 1
                        00000030 'keyd'
                          'mdtacom.apple.quicktime.still-image-time'
                        00000010 'dtyp'
                          00000000 00000041  ; int8
                      00000058 00000002  ; local id 2
                        00000040 'keyd'
                          'mdtacom.apple.quicktime.live-photo-still-image-transform'
                        00000010 'dtyp'
                          00000000 00000053  ; nine float64
                      0000006d 00000003  ; local id 3
                        00000055 'keyd'
                          'mdtacom.apple.quicktime.live-photo-still-image-transform-reference-dimensions'
                        00000010 'dtyp'
                          00000000 00000047  ; two float32
                00000018 'stts'
                  00000000 00000001  ; one run
                  00000001 00000001  ; one sample of 1 tick
                0000001c 'stsc'
                  00000000 00000001  ; one run
                  00000001 00000001 00000001
                00000014 'stsz'
                  00000000 00000069 00000001  ; 1 sample of 105 bytes
                00000014 'stco'
                  00000000 00000001  ; 1 chunk
                  00000434
        """

    static let metadataHandler = """
        00000034 'hdlr'
          00000000  ; version and flags
          'mhlrmetaappl'  ; component type, subtype, manufacturer
          00000001 00000000  ; flags and their mask
          13 'Core Media Metadata'  ; a Pascal string
        """

    static let baseHeader = """
        00000020 'gmhd'
          00000018 'gmin'
            00000000 0040 8000 8000 8000 0000 0000  ; version and flags, dither copy, its colour, no balance
        """
}
