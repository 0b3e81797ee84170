import CodedVideo
import Foundation
import TestTools
import Testing

/// Small films of one stream each, made by x264 and x265 with what makes their headers different.
enum MadeStream: String, CaseIterable, CustomTestStringConvertible {
    case cabac, cavlc, weighted, weightedCAVLC, interlaced, slices, deep422, spsThree, openGOP, buffers, lossless444
    case hevc, hevcWeighted, hevcSlices, hevcClosed, hevcPlain, hevcBuffers, hevcDeep, hevcFields, hevcScaled

    var isHEVC: Bool { rawValue.hasPrefix("hevc") }
    var testDescription: String { rawValue }

    private var options: [String] {
        switch self {
        case .cabac: ["-preset", "medium"]
        case .cavlc: ["-profile:v", "baseline", "-pix_fmt", "yuv420p"]
        case .weighted:
            ["-vf", "fade=in:0:40", "-x264-params", "weightp=2:weightb=1:bframes=5:b-pyramid=normal:keyint=20"]
        case .weightedCAVLC: ["-vf", "fade=in:0:40", "-coder", "0", "-x264-params", "weightp=2:bframes=3"]
        case .interlaced: ["-flags", "+ildct+ilme", "-x264-params", "tff=1:keyint=10"]
        case .slices: ["-x264-params", "slices=4:cabac=0"]
        case .deep422: ["-pix_fmt", "yuv422p10le", "-profile:v", "high422"]
        case .spsThree: ["-x264-params", "sps-id=3:aud=1:keyint=12"]
        case .openGOP: ["-x264-params", "open-gop=1:keyint=12:scenecut=0:bframes=3:b-pyramid=none"]
        case .buffers: ["-x264-params", "nal-hrd=vbr:vbv-maxrate=400:vbv-bufsize=400:keyint=10"]
        case .lossless444: ["-qp", "0", "-pix_fmt", "yuv444p"]
        case .hevc: ["-x265-params", "info=0:keyint=12:log-level=none"]
        case .hevcWeighted:
            ["-vf", "fade=in:0:40", "-x265-params", "weightb=1:bframes=5:keyint=20:log-level=none"]
        case .hevcSlices: ["-x265-params", "slices=3:wpp=1:keyint=20:no-open-gop=1:log-level=none"]
        case .hevcClosed:
            [
                "-x265-params",
                "keyint=20:min-keyint=20:scenecut=0:b-adapt=0:bframes=3:radl=3:no-open-gop=1:log-level=none",
            ]
        case .hevcPlain: ["-x265-params", "keyint=20:bframes=0:ref=1:no-open-gop=1:log-level=none"]
        case .hevcBuffers:
            ["-x265-params", "hrd=1:vbv-maxrate=400:vbv-bufsize=400:aud=1:repeat-headers=1:keyint=12:log-level=none"]
        case .hevcDeep:
            [
                "-pix_fmt", "yuv422p10le", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace",
                "bt2020nc", "-x265-params",
                "keyint=20:hdr10=1:max-cll=1000,400:log-level=none"
                    + ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)",
            ]
        case .hevcFields: ["-x265-params", "interlace=tff:keyint=12:log-level=none"]
        case .hevcScaled:
            ["-x265-params", "temporal-layers=1:keyint=24:scaling-list=default:bframes=4:log-level=none"]
        }
    }

    /// Makes the film of 50 frames as MP4.
    func make(in folder: TestFolder) throws -> Film {
        let path = folder.file(rawValue + ".mp4")
        try Witness(in: folder).ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2", "-c:v", isHEVC ? "libx265" : "libx264"]
                + (isHEVC ? ["-tag:v", "hvc1"] : []) + options + [path])
        return try Film(path, in: folder)
    }
}

/// The packets of the first video stream of an MP4 or MOV file, found by ffprobe and read from the file's own bytes.
struct Film {
    struct Packet {
        let time: Int64
        let isKey: Bool
        let units: [ArraySlice<UInt8>]
    }

    let path: String
    let folder: TestFolder
    let isHEVC: Bool
    /// The record of `avcC` or `hvcC`.
    let record: [UInt8]
    /// The units of parameter sets in the record.
    let sets: [[UInt8]]
    let packets: [Packet]

    init(_ path: String, in folder: TestFolder) throws {
        self.path = path
        self.folder = folder
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        guard let box = Self.box("avcC", of: bytes) ?? Self.box("hvcC", of: bytes) else {
            throw ToolFailure("\(path) has no configuration")
        }
        isHEVC = Self.box("avcC", of: bytes) == nil
        record = box
        let size: Int
        if isHEVC {
            let record = try HEVCConfiguration(box)
            (sets, size) = (record.allUnits, record.lengthSize)
        } else {
            let record = try AVCConfiguration(box)
            (sets, size) = (record.sps + record.pps, record.lengthSize)
        }
        let list = try Tool(
            "/usr/bin/ffprobe",
            [
                "-v", "error", "-ignore_editlist", "1", "-select_streams", "v:0", "-show_entries",
                "packet=pts,dts,size,pos,flags", "-of", "json", path,
            ], in: folder
        ).finish().json(of: "packets")
        packets = try list.map { packet in
            guard let count = (packet["size"] as? String).flatMap(Int.init),
                let place = (packet["pos"] as? String).flatMap(Int.init), place + count <= bytes.count
            else { throw ToolFailure("ffprobe tells no place of a packet in \(path)") }
            return Packet(
                time: (packet["pts"] as? Int ?? packet["dts"] as? Int).map(Int64.init) ?? 0,
                isKey: (packet["flags"] as? String)?.hasPrefix("K") == true,
                units: try NALUnits.lengthPrefixed(bytes[place..<place + count], lengthSize: size))
        }
    }

    /// The payload of the first box of a name; nil where its size is none.
    private static func box(_ name: String, of bytes: [UInt8]) -> [UInt8]? {
        guard let range = Data(bytes).range(of: Data(name.utf8)), range.lowerBound >= 4 else { return nil }
        let size = bytes[range.lowerBound - 4..<range.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        let end = range.lowerBound - 4 + size
        return end <= bytes.count && end > range.upperBound ? Array(bytes[range.upperBound..<end]) : nil
    }

    /// What a strict decoder makes of units as a byte stream: sums of frames, in order. Throws where it complains.
    func decoded(_ units: [some Collection<UInt8>], threads: Int = 2) throws -> [String] {
        let path = try folder.write(Data(NALUnits.annexB(units)), to: "stream-\(UUID().uuidString)")
        let result = try Tool(
            "/usr/bin/ffmpeg",
            [
                "-v", "warning", "-nostdin", "-threads", "\(threads)", "-xerror", "-err_detect", "explode", "-f",
                isHEVC ? "hevc" : "h264", "-i", path, "-fps_mode", "passthrough", "-f", "framemd5", "-",
            ], in: folder
        ).finish()
        guard result.status == 0, result.standardError.isEmpty else { throw ToolFailure("\(result)") }
        return result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: ",").last?.trimmingCharacters(in: .whitespaces) ?? ""
        }
    }

    /// All units: those of the record, then those of the packets.
    var units: [ArraySlice<UInt8>] { sets.map { $0[...] } + packets.flatMap(\.units) }
}

extension ToolResult {
    /// The objects of a list in JSON on standard output.
    fileprivate func json(of name: String) throws -> [[String: Any]] {
        guard status == 0 else { throw ToolFailure("\(self)") }
        let object = try JSONSerialization.jsonObject(with: standardOutput) as? [String: Any]
        return object?[name] as? [[String: Any]] ?? []
    }
}
