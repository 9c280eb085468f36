/// The Exif item of the photo; offsets count from `MM`, those of the MakerNote from its first byte.
extension DevicePair {
    /// Fields: tag, type, count, value or its offset.
    static let exif = """
        00000006  ; the TIFF begins 6 bytes on
        'Exif' 0000
        'MM' 002a 00000008  ; big-endian, the first IFD at 8
        000b  ; 11 fields
        010f 0002 00000006 00000092  ; make
        0110 0002 0000000f 00000098  ; model
        0112 0003 00000001 0001 0000  ; orientation
        011a 0005 00000001 000000a8  ; resolution
        011b 0005 00000001 000000b0
        0128 0003 00000001 0002 0000  ; of an inch
        0131 0002 00000005 000000b8  ; software
        0132 0002 00000014 000000be  ; changed
        013c 0002 0000000f 000000d2  ; host
        8769 0004 00000001 000000e2  ; Exif IFD
        8825 0004 00000001 000007ec  ; GPS IFD
        00000000  ; no next IFD; then the values longer than 4 bytes, in the order of the fields
        'Apple' 00
        'iPhone 15 Plus' 00 00
        00000048 00000001
        00000048 00000001
        '18.2' 00 00
        '2001:02:03 04:05:06' 00
        'iPhone 15 Plus' 00 00
        0021  ; 33 fields
        829a 0005 00000001 00000274  ; exposure time
        829d 0005 00000001 0000027c  ; f-number
        8822 0003 00000001 0002 0000  ; program
        8827 0003 00000001 0032 0000  ; sensitivity
        9000 0007 00000004 '0232'  ; version
        9003 0002 00000014 00000284  ; shot
        9004 0002 00000014 00000298  ; digitized
        9010 0002 00000007 000002ac  ; offset from UTC
        9011 0002 00000007 000002b4  ; of the shot
        9012 0002 00000007 000002bc  ; of digitizing
        9201 000a 00000001 000002c4  ; shutter speed, APEX
        9202 0005 00000001 000002cc  ; aperture, APEX
        9203 000a 00000001 000002d4  ; brightness
        9204 000a 00000001 000002dc  ; exposure bias
        9207 0003 00000001 0005 0000  ; metering
        9209 0003 00000001 0010 0000  ; flash
        920a 0005 00000001 000002e4  ; focal length
        9214 0003 00000004 000002ec  ; subject area
        927c 0007 000004a0 000002f4  ; MakerNote
        9291 0002 00000004 '250' 00  ; part of the second
        9292 0002 00000004 '250' 00  ; the same, digitized
        a001 0003 00000001 ffff 0000  ; uncalibrated colour
        a002 0004 00000001 000004a8  ; width
        a003 0004 00000001 0000037e  ; height
        a217 0003 00000001 0002 0000  ; sensing method
        a301 0007 00000001 01 000000  ; scene type
        a402 0003 00000001 0000 0000  ; exposure mode
        a403 0003 00000001 0000 0000  ; white balance
        a405 0003 00000001 001a 0000  ; focal length in 35 mm
        a432 0005 00000004 00000794  ; lens
        a433 0002 00000006 000007b4  ; its make
        a434 0002 00000032 000007ba  ; its model
        a460 0003 00000001 0002 0000  ; composite
        00000000  ; no next IFD; then the values longer than 4 bytes, in the order of the fields
        00000001 000007d0
        00000008 00000005
        '2001:02:03 04:05:06' 00
        '2001:02:03 04:05:06' 00
        '+01:30' 00 00
        '+01:30' 00 00
        '+01:30' 00 00
        0000000b 00000001
        00000044 00000032
        00000009 00000001
        00000000 00000001
        00000095 00000019
        0254 01bf 00c8 00c8
        \(makerNote)
        0000009a 00000064 00000095 00000019 00000008 00000005 0000000c 00000005
        'Apple' 00
        'iPhone 15 Plus back dual wide camera 5.96mm f/1.6' 00
        000f  ; 15 fields
        0001 0002 00000002 'S' 00 0000  ; latitude
        0002 0005 00000003 000008a6
        0003 0002 00000002 'W' 00 0000  ; longitude
        0004 0005 00000003 000008be
        0005 0001 00000001 00 000000  ; above the sea
        0006 0005 00000001 000008d6  ; altitude
        0007 0005 00000003 000008de  ; time
        000c 0002 00000002 'K' 00 0000  ; speed in km/h
        000d 0005 00000001 000008f6
        0010 0002 00000002 'T' 00 0000  ; direction
        0011 0005 00000001 000008fe
        0017 0002 00000002 'T' 00 0000  ; bearing
        0018 0005 00000001 00000906
        001d 0002 0000000b 0000090e  ; date
        001f 0005 00000001 0000091a  ; error in metres
        00000000  ; no next IFD; then the values longer than 4 bytes, in the order of the fields
        0000000c 00000001 0000001e 00000001 00000000 00000064
        0000007b 00000001 0000002d 00000001 00000000 00000064
        00000025 00000005
        00000002 00000001 00000023 00000001 00000258 00000064
        00000001 00000002
        0000002d 00000001
        0000002d 00000001
        '2001:02:03' 00 00
        00000005 00000001
        """

    /// Apple’s, with the device’s tags and types; values of what was measured are made up.
    static let makerNote = """
        'Apple iOS' 00 0001 'MM'
        0031  ; 49 fields
        0001 0009 00000001 0000000f  ; version of the note
        0002 0007 00000010 00000260  ; AE matrix (512 bytes on the device)
        0003 0007 00000068 00000270  ; run time, a binary property list
        0004 0009 00000001 00000000  ; AE is stable
        0005 0009 00000001 000000b4  ; AE target
        0006 0009 00000001 000000c8  ; AE average
        0007 0009 00000001 00000001  ; AF is stable
        0008 000a 00000003 000002d8  ; acceleration
        000c 000a 00000002 000002f0  ; focus distance
        000d 0009 00000001 0000002a  ; not known
        000e 0009 00000001 00000004  ; not known
        0010 0009 00000001 00000001  ; not known
        0011 0002 00000025 00000300  ; content identifier
        0014 0009 00000001 0000000c  ; image capture type
        0017 0010 00000001 00000326  ; Live Photo video index
        0019 0009 00000001 00020000  ; image processing flags
        001a 0002 00000006 0000032e  ; quality hint
        001f 0009 00000001 00000000  ; not known
        0020 0002 00000025 00000334  ; capture request
        0021 000a 00000001 0000035a  ; HDR headroom
        0023 0009 00000002 00000362  ; AF performance
        0025 0010 00000001 0000036a  ; scene flags
        0026 0009 00000001 00000003  ; type of the signal-to-noise ratio
        0027 000a 00000001 00000372  ; signal-to-noise ratio
        002b 0002 00000025 0000037a  ; photo identifier
        002d 0009 00000001 00001450  ; colour temperature
        002e 0009 00000001 00000001  ; camera type
        002f 0009 00000001 00000039  ; focus position
        0030 000a 00000001 000003a0  ; HDR gain
        0036 0009 00000001 0000aa00  ; not known
        0037 0009 00000001 00000004  ; not known
        003a 0009 00000001 00000064  ; not known
        003b 0009 00000001 00000000  ; not known
        003c 0009 00000001 00000004  ; not known
        003f 0009 00000001 00000000  ; green ghost mitigation
        0040 0007 0000004a 000003a8  ; semantic style, a property list
        0041 0009 00000001 00000000  ; not known
        0043 0009 00000001 00000000  ; not known
        0044 0009 00000001 00000000  ; not known
        0045 0009 00000001 00000000  ; front camera
        0046 0009 00000001 00000000  ; not known
        004a 0009 00000001 00000002  ; not known
        004d 000a 00000001 000003f2  ; not known
        004e 0007 00000079 000003fa  ; not known
        004f 0007 0000002b 00000474  ; not known
        0052 0009 00000001 00000000  ; not known
        0053 0009 00000001 00000002  ; not known
        0055 0009 00000001 000000dc  ; not known
        0058 0009 00000001 000008fc  ; not known
        00000000  ; no next IFD; then the values longer than 4 bytes, in the order of the fields
        00010001 00010001 00010001 00010001
        'bplist00'
        d40102030405060708  ; a dictionary of 4: keys, then values, by number
        55 'flags'
        55 'value'
        59 'timescale'
        55 'epoch'
        10 01  ; 1
        13 000000003b9aca00  ; 1000000000
        12 3b9aca00  ; 1000000000
        10 00  ; 0
        0811171d272d2f383d  ; where each value stands
        ; sizes of offsets and numbers; 9 value(s), the first is the whole, offsets at 63
        0000000000000101 0000000000000009 0000000000000000 000000000000003f
        ffffffff 00000001 ffffffff 00000020 00000001 00000004
        00000009 00000020 00000001 00000008
        '00112233-4455-4677-8899-AABBCCDDEEFF' 00 00
        0000000200000000
        'q500n' 00
        '00112233-4455-4677-8899-AABBCCDDEE01' 00 00
        00000065 00000064
        000000fa 10000064
        0000000000000006
        00000079 00000002
        '00112233-4455-4677-8899-AABBCCDDEE02' 00 00
        00000003 000003e8
        'bplist00'
        d40102030405060607  ; a dictionary of 4: keys, then values, by number
        51 '3'
        51 '1'
        51 '2'
        51 '0'
        10 00  ; 0
        22 00000000  ; 0
        10 01  ; 1
        0811131517191b20  ; where each value stands
        ; sizes of offsets and numbers; 8 value(s), the first is the whole, offsets at 34
        0000000000000101 0000000000000008 0000000000000000 0000000000000022
        0000001e 00000001
        'bplist00'
        d201020304  ; a dictionary of 2: keys, then values, by number
        51 '1'
        51 '2'
        10 03  ; 3
        a2050a  ; an array of 2
        d206070809  ; a dictionary of 2: keys, then values, by number
        53 '2.1'
        53 '2.2'
        23 4079000000000000  ; 400
        23 0000000000000000  ; 0
        d206070b0c  ; a dictionary of 2: keys, then values, by number
        23 3fe0000000000000  ; 0.5
        23 4058000000000000  ; 96
        080d0f1113161b1f232c353a43  ; where each value stands
        ; sizes of offsets and numbers; 13 value(s), the first is the whole, offsets at 76
        0000000000000101 000000000000000d 0000000000000000 000000000000004c
        00
        'bplist00'
        10 00  ; 0
        08  ; where each value stands
        ; sizes of offsets and numbers; 1 value(s), the first is the whole, offsets at 10
        0000000000000101 0000000000000001 0000000000000000 000000000000000a
        00
        """
}
