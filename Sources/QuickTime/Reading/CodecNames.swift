import Bytes
import MediaModel

extension AVCConfigurationBox {
    /// `H.264 High, level 4.0` (ITU-T H.264, annex A).
    var name: String {
        // constraint_set1_flag: a Baseline stream that Main decoders can decode.
        let profileName =
            switch profile {
            case 66: constraints & 0x40 != 0 ? "Constrained Baseline" : "Baseline"
            case 77: "Main"
            case 88: "Extended"
            case 100: "High"
            case 110: "High 10"
            case 122: "High 4:2:2"
            case 244: "High 4:4:4 Predictive"
            default: "profile \(profile)"
            }
        // Level 1b: level 1.1 with constraint_set3_flag in the profiles below High.
        let isLevel1b = level == 9 || level == 11 && constraints & 0x10 != 0 && Self.lowProfiles.contains(profile)
        return "H.264 \(profileName), level \(isLevel1b ? "1b" : "\(level / 10).\(level % 10)")"
    }
}

extension HEVCConfiguration {
    /// `HEVC Main 10, level 4.1` (ITU-T H.265, annex A).
    var name: String {
        let profileName =
            switch profile {
            case 1: "Main"
            case 2: "Main 10"
            case 3: "Main Still Picture"
            case 4: "Range Extensions"
            case 6: "Multiview Main"
            case 9: "Screen Content Coding"
            default: "profile \(profile)"
            }
        let levelName = "\(level / 30).\(level % 30 / 3)"
        return "HEVC \(profileName), level \(levelName)\(isHighTier ? ", High tier" : "")"
    }
}

extension SampleFormat {
    /// The name of a format according to its type; the type itself if it has no name.
    static func name(of type: FourCC) -> String {
        switch type {
        case "avc1", "avc2", "avc3", "avc4": "H.264"
        case "hvc1", "hev1", "hvc2", "hev2": "HEVC"
        case "dvh1", "dvhe": "HEVC with Dolby Vision"
        case "av01": "AV1"
        case "vp08": "VP8"
        case "vp09": "VP9"
        case "mp4v": "MPEG-4 Visual"
        case "s263", "h263": "H.263"
        case "jpeg", "mjpa", "mjpb": "JPEG"
        case "apch": "ProRes 422 HQ"
        case "apcn": "ProRes 422"
        case "apcs": "ProRes 422 LT"
        case "apco": "ProRes 422 Proxy"
        case "ap4h": "ProRes 4444"
        case "ap4x": "ProRes 4444 XQ"
        case "rle ": "QuickTime Animation"
        case "icod": "Apple Intermediate Codec"
        case "SVQ1", "SVQ3": "Sorenson Video"
        case "mp4a": "MPEG-4 audio"
        case "lpcm", "sowt", "twos", "in24", "in32", "fl32", "fl64", "ipcm", "fpcm": "PCM"
        case "ulaw": "G.711 µ-law"
        case "alaw": "G.711 A-law"
        case "ima4": "IMA ADPCM"
        case ".mp3": "MP3"
        case "alac": "Apple Lossless"
        case "ac-3": "AC-3"
        case "ec-3": "Enhanced AC-3"
        case "apac": "Apple Positional Audio"
        case "Opus": "Opus"
        case "fLaC": "FLAC"
        case "samr": "AMR"
        case "sawb": "AMR wideband"
        default: type.description
        }
    }

    /// The name according to objectTypeIndication (ISO/IEC 14496-1, table 5) and, for MPEG-4 audio, the object type in its
    /// configuration (ISO/IEC 14496-3, table 1.1); nil if it has no name.
    static func name(of stream: ESDescriptorBox) -> String? {
        switch stream.objectType {
        case 0x40: break
        case 0x66, 0x67, 0x68: return "AAC (MPEG-2)"
        case 0x69, 0x6B: return "MP3"
        case 0xA5: return "AC-3"
        case 0xA6: return "Enhanced AC-3"
        case 0xAD: return "Opus"
        default: return nil
        }
        let info = stream.decoderSpecificInfo
        guard let first = info.first else { return nil }
        var objectType = first >> 3
        // Five ones: six more bits follow, counted from 32.
        if objectType == 31, info.count > 1 { objectType = 32 + ((first & 7) << 3 | info[1] >> 5) }
        return switch objectType {
        case 1: "AAC Main"
        case 2: "AAC-LC"
        case 3: "AAC-SSR"
        case 4: "AAC-LTP"
        case 5: "HE-AAC"
        case 23: "AAC-LD"
        case 29: "HE-AAC v2"
        case 34: "MP3"
        case 36: "MPEG-4 ALS"
        case 39: "AAC-ELD"
        case 42: "xHE-AAC"
        default: "MPEG-4 audio, object type \(objectType)"
        }
    }
}
