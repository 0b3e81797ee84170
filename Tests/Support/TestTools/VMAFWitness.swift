import Foundation
import Glibc

/// libvmaf through ffmpeg's filter of that name, which Debian's ffmpeg lacks: `make vmaf` fetches one that has it.
package enum VMAFWitness {
    /// `SPLITREEL_VMAF_FFMPEG`, else Debian's; nil where it has no such filter.
    package static let program: String? = {
        let path = ProcessInfo.processInfo.environment["SPLITREEL_VMAF_FFMPEG"] ?? "/usr/bin/ffmpeg"
        guard let folder = try? TestFolder("vmaf"),
            let filters = try? Tool(path, ["-hide_banner", "-filters"], in: folder).finish(seconds: 60)
        else { return nil }
        return filters.text.contains(" libvmaf ") ? path : nil
    }()

    /// Whether the dynamic linker finds the library itself.
    package static let hasLibrary = ["libvmaf.so.3", "libvmaf.so.1", "libvmaf.so"].contains { (name: String) in
        dlopen(name, RTLD_NOW) != nil
    }

    /// VMAF of each frame of a film beside the same frame of an exact one.
    package static func scores(_ film: String, beside exact: String, in folder: TestFolder) throws -> [Double] {
        guard let program else { throw ToolFailure("no ffmpeg with libvmaf") }
        let log = folder.file("vmaf.json")
        // Frame by frame, whatever the containers make of times.
        let inputs = "[0:v]settb=1/25,setpts=N[a];[1:v]settb=1/25,setpts=N[b]"
        let result = try Tool(
            program,
            [
                "-v", "error", "-nostdin", "-i", film, "-i", exact, "-lavfi",
                "\(inputs);[a][b]libvmaf=log_fmt=json:log_path=\(log)", "-f", "null", "-",
            ], in: folder
        ).finish()
        guard result.status == 0 else { throw ToolFailure("\(result)") }
        let parsed = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: log)))
        guard let frames = (parsed as? [String: Any])?["frames"] as? [[String: Any]] else {
            throw ToolFailure("no frames in \(log)")
        }
        return frames.compactMap { ($0["metrics"] as? [String: Any])?["vmaf"] as? Double }
    }
}
