/// The tracks with the pictures and the sound.
extension DevicePair {
    static let videoTrack = """
        00000695 'trak'
          0000005c 'tkhd'
            0000000f b6a11eda b6a11eda  ; enabled, in movie, preview and poster; made, changed
            00000001 00000000 00000348  ; track 1; 840 ticks
            00000000 00000000 0000 0000 0000 0000  ; layer, group, volume
            00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000  ; the identity matrix
            07800000 05a00000  ; width and height
          00000044 'tapt'
            00000014 'clef'
              00000000 06d00000 051c0000  ; 1744×1308
            00000014 'prof'
              00000000 07800000 05a00000  ; 1920×1440
            00000014 'enof'
              00000000 07800000 05a00000  ; 1920×1440
          00000024 'edts'
            0000001c 'elst'
              00000000 00000001  ; version and flags, 1 entry
              00000348 00000000 00010000  ; all of the media
          000004c0 'mdia'
            00000020 'mdhd'
              00000000 b6a11eda b6a11eda  ; made, changed
              00000258 00000348 55c4 0000  ; 840 ticks of 1/600 s; language und
            00000031 'hdlr'
              00000000  ; version and flags
              'mhlrvideappl'  ; component type, subtype, manufacturer
              00000000 00000000  ; flags and their mask
              10 'Core Media Video'  ; a Pascal string
            00000467 'minf'
              00000014 'vmhd'
                00000001 0040 8000 8000 8000  ; flags 1, dither copy, its colour
              \(dataHandler)
              000003ef 'stbl'
                00000114 'stsd'
                  00000000 00000001  ; one entry
                  00000104 'hvc1'
                    00000000 0000 0001  ; data reference 1
                    ; version, revision, vendor; no temporal, some spatial quality
                    0000 0000 00000000 00000000 00000200
                    0780 05a0 00480000 00480000  ; 1920×1440 at 72 dpi
                    00000000 0001  ; no data size, one frame a sample
                    ; compressor, a Pascal string of 32 bytes
                    04 'HEVC' 000000000000000000000000000000000000000000000000000000
                    0018 ffff  ; depth 24, no colour table
                    00000070 'hvcC'
                      ; Main, level 5.0, 4-byte lengths; parameter sets
                      01016000 0000b000 00000000 96f000fc fdf8f800 000b03a0 00010018 40010c01
                      ffff0160 00000300 b0000003 00000300 9615c090 a1000100 23420101 01600000
                      0300b000 00030000 030096a0 03c08016 858815ee 45954dc3 00418020 a2000100
                      074401c0 2cbc14c9
                    00000012 'colr'
                      'nclc' 000c 0001 0006  ; primaries, transfer, matrix: P3, BT.709, BT.601
                    00000028 'clap'
                      ; 1744/1 by 1308/1, in the middle
                      000006d0 00000001 0000051c 00000001 00000000 00000001 00000000 00000001
                    00000000  ; the end of the list
                00000019 'sgpd'
                  01000000 'sync' 00000001 00000001 14  ; version 1, one group of pictures with sync samples inside
                00000064 'sbgp'
                  00000000 'sync' 0000000a  ; 10 runs
                  00000001 00000001  00000010 00000000  00000001 00000001  00000001 00000000
                  00000001 00000001  00000007 00000000  00000001 00000001  0000000b 00000000
                  00000001 00000001  00000002 00000000
                00000018 'stts'
                  00000000 00000001  ; one run
                  0000002a 00000014  ; 42 frames of 20 ticks
                00000150 'ctts'
                  00000000 00000028  ; 40 runs
                  00000001 00000000  00000001 0000003c  00000001 00000000  00000001 ffffffd8  ; 0, 60, 0, -40
                  00000001 ffffffec  00000001 0000003c  00000001 00000000  00000001 ffffffd8  ; -20, 60, 0, -40
                  00000001 ffffffec  00000001 0000003c  00000001 00000000  00000001 ffffffd8  ; -20, 60, 0, -40
                  00000001 ffffffec  00000001 0000003c  00000001 00000000  00000001 ffffffd8  ; -20, 60, 0, -40
                  00000001 ffffffec  00000003 00000000  00000001 0000003c  00000001 00000000  ; -20, 3× 0, 60, 0
                  00000001 ffffffd8  00000001 ffffffec  00000001 00000028  00000001 00000000  ; -40, -20, 40, 0
                  00000001 ffffffd8  00000001 00000000  00000001 0000003c  00000001 00000000  ; -40, 0, 60, 0
                  00000001 ffffffd8  00000001 ffffffec  00000001 0000003c  00000001 00000000  ; -40, -20, 60, 0
                  00000001 ffffffd8  00000001 ffffffec  00000001 00000028  00000001 00000000  ; -40, -20, 40, 0
                  00000001 ffffffd8  00000001 00000000  00000001 00000014  00000001 ffffffec  ; -40, 0, 20, -20
                00000020 'cslg'
                  00000000 00000028  ; version and flags, shift 40
                  ffffffd8 0000003c 00000000 00000348  ; offsets from -40 to 60; from 0 to 840
                00000024 'stss'
                  00000000 00000005  ; 5 sync samples
                  00000001 00000012 00000014 0000001c 00000028
                00000036 'sdtp'
                  00000000  ; version and flags
                  20101018 18101018 18101018 18101018 18201020 10  ; which samples others need
                  10181810 10182010 10181810 10181810 10182010 18
                00000040 'stsc'
                  00000000 00000004  ; 4 runs: 17, 2, 9 and 14 frames
                  00000001 00000011 00000001  00000002 00000002 00000001
                  00000003 00000009 00000001  00000004 0000000e 00000001
                00000014 'stsz'
                  00000000 00000006 0000002a  ; 42 samples of 6 bytes
                00000020 'stco'
                  00000000 00000004  ; 4 chunks
                  00000010  00000076  00000082  000000b8
          00000109 'meta'  ; QuickTime’s form: no version and flags
            00000022 'hdlr'
              00000000 00000000 'mdta' 0000000000000000000000000000
            0000007c 'keys'
              00000000 00000002  ; version and flags, 2 keys
              0000002d 'mdta'
                'com.apple.quicktime.camera.lens_model'
              0000003f 'mdta'
                'com.apple.quicktime.camera.focal_length.35mm_equivalent'
            00000063 'ilst'
              0000003f 00000001
                00000037 'data'
                  00000001 474215c7  ; UTF-8, Great Britain, English
                  'iPhone 15 Plus back camera 5.96mm f/1.6'
              0000001c 00000002
                00000014 'data'
                  00000015 474215c7  ; signed integer, Great Britain, English
                  00000019  ; 25
        """

    static let audioTrack = """
        00000211 'trak'
          0000005c 'tkhd'
            0000000f b6a11eda b6a11eda  ; enabled, in movie, preview and poster; made, changed
            00000002 00000000 00000002  ; track 2; 2 ticks
            00000000 00000000 0000 0000 0100 0000  ; layer, group, volume
            00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000  ; the identity matrix
            00000000 00000000  ; no size
          00000024 'edts'
            0000001c 'elst'
              00000000 00000001  ; version and flags, 1 entry
              00000002 00000000 00010000  ; all of the media
          00000189 'mdia'
            00000020 'mdhd'
              00000000 b6a11eda b6a11eda  ; made, changed
              0000ac44 00000093 55c4 0000  ; 147 ticks of 1/44100 s; language und
            00000031 'hdlr'
              00000000  ; version and flags
              'mhlrsounappl'  ; component type, subtype, manufacturer
              00000000 00000000  ; flags and their mask
              10 'Core Media Audio'  ; a Pascal string
            00000130 'minf'
              00000010 'smhd'
                00000000 0000 0000  ; balance 0
              \(dataHandler)
              000000bc 'stbl'
                00000058 'stsd'
                  00000000 00000001  ; one entry
                  00000048 'lpcm'
                    00000000 0000 0001  ; data reference 1
                    0002 0000 00000000  ; version 2, revision, vendor
                    0003 0010 fffe 0000 00010000  ; constants of version 2
                    00000048 40e5888000000000  ; its size; 44100.0 Hz
                    00000001 7f000000 00000010 0000000c  ; one channel; 16 bits; signed, packed
                    00000002 00000001  ; 2 bytes, 1 frame a packet
                00000018 'stts'
                  00000000 00000001  ; one run
                  00000093 00000001  ; 147 samples of 1 tick
                0000001c 'stsc'
                  00000000 00000001  ; one run
                  00000001 00000093 00000001
                00000014 'stsz'
                  00000000 00000002 00000093  ; 147 samples of 2 bytes
                00000014 'stco'
                  00000000 00000001  ; 1 chunk
                  0000010c
        """

    /// What follows the header of every kind of media.
    static let dataHandler = """
        00000038 'hdlr'
          00000000  ; version and flags
          'dhlralisappl'  ; component type, subtype, manufacturer
          00000000 00000000  ; flags and their mask
          17 'Core Media Data Handler'  ; a Pascal string
        00000024 'dinf'
          0000001c 'dref'
            00000000 00000001  ; version and flags, one entry
            0000000c 'alis'
              00000001  ; in this same file
        """
}
