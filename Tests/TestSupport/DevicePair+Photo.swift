extension DevicePair {
    /// `IMG_0001.HEIC`, 1192×894: a grid of two tiles, a thumbnail, a gain map, Exif and XMP.
    package static let photo: [UInt8] =
        hex(photoBoxes) + hex(exif)
        + (0..<4).flatMap { _ in hex("00000002 4601") }  // HEVC: an access unit delimiter, and no picture

    private static let photoBoxes = """
        0000002c 'ftyp'
          'heic' 00000000 'mif1MiHBMiHEMiPrmiafheictmap'
        00000429 'meta'
          00000000  ; version and flags
          00000021 'hdlr'
            00000000 00000000 'pict' 000000000000000000000000 00
          00000024 'dinf'
            0000001c 'dref'
              00000000 00000001  ; one entry
              0000000c 'url '
                00000001  ; in this same file
          0000000e 'pitm'
            00000000 0003  ; the primary item
          000000ca 'iinf'
            00000000 0008  ; 8 items
            00000015 'infe'
              02 000001 0001 0000 'hvc1' 00  ; a tile, hidden
            00000015 'infe'
              02 000001 0002 0000 'hvc1' 00  ; another
            00000015 'infe'
              02 000000 0003 0000 'grid' 00  ; what is made of them
            00000015 'infe'
              02 000000 0004 0000 'hvc1' 00  ; the thumbnail
            00000015 'infe'
              02 000001 0005 0000 'hvc1' 00  ; the gain map
            00000015 'infe'
              02 000000 0006 0000 'tmap' 00  ; the photo in HDR
            00000015 'infe'
              02 000001 0007 0000 'Exif' 00
            00000029 'infe'
              02 000001 0008 0000 'mime' 00  ; XMP
              'application/rdf+xml' 00  ; its content type
          00000068 'iref'
            00000000  ; version and flags
            00000010 'dimg'
              0003 0002 0001 0002
            0000000e 'thmb'
              0004 0001 0003
            0000000e 'auxl'
              0005 0001 0003
            00000010 'dimg'
              0006 0002 0003 0005
            00000010 'cdsc'
              0007 0002 0003 0006
            00000010 'cdsc'
              0008 0002 0003 0006
          0000019a 'iprp'
            00000159 'ipco'
              00000013 'colr'
                'nclx' 000c 000d 0006 80  ; 1: P3, sRGB, BT.601 (an ICC profile on the device)
              00000014 'ispe'
                00000000 00000280 00000380  ; 2: a tile’s size
              00000014 'ispe'
                00000000 000004a8 0000037e  ; 3: the photo’s
              00000009 'irot'
                00  ; 4: not turned
              00000010 'pixi'
                00000000 03 08 08 08  ; 5: 8 bits
              00000014 'ispe'
                00000000 000001a0 00000138  ; 6: the thumbnail’s
              00000014 'ispe'
                00000000 00000254 000001be  ; 7: the gain map’s
              0000000e 'pixi'
                00000000 01 08  ; 8: one channel
              00000034 'auxC'
                00000000 'urn:com:apple:photo:2020:aux:hdrgainmap' 00  ; 9
              00000013 'colr'
                'nclx' 0002 0002 0002 80  ; 10: not said
              00000010 'pixi'
                00000000 03 0a 0a 0a  ; 11: 10 bits
              00000070 'hvcC'
                ; 12: Main Still Picture, level 2.1
                01037000 0000b000 00000000 3ff000fc fdf8f800 000b03a0 00010017 40010c01
                ffff0370 00000300 b0000003 00000300 3f7024a1 00010022 42010103 70000003
                00b00000 03000003 003fa00d 080507cb 887b9165 5370c010 6008a200 01000944
                01c06172 c8405324
            00000039 'ipma'
              00000000 00000006  ; 6 items; essential ones have the high bit
              0001 03 81028c
              0002 03 81028c
              0003 04 81038405
              0004 05 81068c8405
              0005 04 0708098c
              0006 04 8a038405
          00000024 'grpl'
            0000001c 'altr'
              00000000 00000009 00000002 00000006 00000003  ; group 9: whoever can shows item 6, others item 3
          0000004a 'idat'
            0000 00 01 04a8 037e  ; a grid of 1 row, 2 columns; 1192×894
            00 0000 0000 48 000f4240  ; how to tone-map, in millionths: made-up gains
            00000000 001e8480 00000000 001e8480 000f4240 0000000a 0000000a  ; headrooms, gains, gamma, offsets
            00000000 00000000 00000000 00000000 00000000  ; unused
          00000090 'iloc'
            01000000 44 00 0008  ; version 1; 4-byte offsets and lengths, no base and index; 8 items
            0001 0000 0000 0001 00000dae 00000006
            0002 0000 0000 0001 00000db4 00000006
            0003 0001 0000 0001 00000000 00000008  ; in idat
            0004 0000 0000 0001 00000dba 00000006
            0005 0000 0000 0001 00000dc0 00000006
            0006 0001 0000 0001 00000008 00000026  ; in idat
            0007 0000 0000 0001 00000482 0000092c
            0008 0000 0000 0001 0000045d 00000025
        00000971 'mdat'  ; XMP, Exif, and four pictures of 6 bytes
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>'
        """
}
