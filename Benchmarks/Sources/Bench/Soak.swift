import Foundation
import Synchronization

/// A long 1080p film of thirty clips: peak memory of coordinator and workers, and the disk that its work takes.
struct Soak {
    let splitreel: String
    let folder: String
    let seconds: Int
    let fresh: [String]

    private let clips = 30

    func measure() throws {
        let length = max(1, seconds / clips)
        for index in 0..<clips { try makeClip(index, length: length) }
        let composition = folder + "/soak.json"
        let output = folder + "/soak.mp4"
        try Data(compositionText(length).utf8).write(to: URL(fileURLWithPath: composition))
        try? FileManager.default.removeItem(atPath: output)
        let watcher = PeakWatcher(folder: folder, output: "soak.mp4")
        watcher.start()
        let cost = try run([splitreel, "render", composition, "-o", output, "--workers", "2"] + fresh)
        let peaks = watcher.stop()
        let size = Double(try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int ?? 0)
        print("\(length * clips) s of 1920×1080, \(clips) clips, 2 workers")
        print(String(format: "  wall %.1f s, CPU %.1f s, film %.1f MB", cost.wall, cost.cpu, size / 1e6))
        print(String(format: "  peak memory of a worker       %7.1f MB (limit 700)", peaks.worker))
        print(String(format: "  peak memory of the coordinator %6.1f MB (limit 200)", peaks.coordinator))
        print(String(format: "  temporary disk over the film   %6.2f (limit 1.2)", peaks.disk / size))
        guard peaks.worker > 0, peaks.coordinator > 0, peaks.disk > 0 else {
            throw BenchError(description: "nothing was measured")
        }
        guard peaks.worker < 700, peaks.coordinator < 200, peaks.disk <= 1.2 * size else {
            throw BenchError(description: "over the limit")
        }
    }

    private func makeClip(_ index: Int, length: Int) throws {
        let path = "\(folder)/soak-\(length)-\(index).mp4"
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let moving = "gradients=s=1920x1080:r=30:speed=0.05:seed=\(index)"
        let pattern = index % 2 == 0 ? "testsrc2=s=1920x1080:r=30" : moving
        try run([
            "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", pattern, "-f", "lavfi", "-i",
            "sine=frequency=\(220 + 20 * index):sample_rate=48000", "-t", "\(length)", "-pix_fmt", "yuv420p", "-c:v",
            "libx264", "-preset", "ultrafast", "-crf", "24", "-c:a", "aac", path,
        ])
    }

    private func compositionText(_ length: Int) -> String {
        let assets = (0..<clips).map { "\"c\($0)\": {\"url\": \"soak-\(length)-\($0).mp4\"}" }.joined(separator: ", ")
        func segments(_ type: String) -> String {
            (0..<clips).map { index in
                """
                {"asset": "c\(index)", "source": ["0s", "\(length)s"], "target": ["\(index * length)s", "\(length)s"]}
                """
            }.joined(separator: ",\n")
        }
        return """
            {"format": "splitreel/1", "assets": {\(assets)}, "composition": {"tracks": [
             {"id": 1, "type": "video", "segments": [\(segments("video"))]},
             {"id": 2, "type": "audio", "segments": [\(segments("audio"))]}]},
             "video": {"renderSize": [1920, 1080], "frameDuration": "1/30"}}
            """
    }
}

/// Reads every splitreel process's VmHWM and the work folder's size twice a second.
final class PeakWatcher: Sendable {
    struct Peaks {
        var worker = 0.0
        var coordinator = 0.0
        var disk = 0.0
    }

    private let folder: String
    private let output: String
    private let state = Mutex((peaks: Peaks(), isStopped: false))
    private let ended = DispatchSemaphore(value: 0)

    init(folder: String, output: String) {
        self.folder = folder
        self.output = output
    }

    func start() {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isStopped }) {
                sample()
                Thread.sleep(forTimeInterval: 0.5)
            }
            ended.signal()
        }
    }

    func stop() -> Peaks {
        state.withLock { $0.isStopped = true }
        ended.wait()
        return state.withLock { $0.peaks }
    }

    private func sample() {
        var now = Peaks()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(name) != nil {
            guard let data = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else { continue }
            let words = data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            // Others may render on this machine: ours has our composition, and what renders for it are children of
            // its slots.
            if words.contains("render"), words.contains(folder + "/soak.json") {
                now.coordinator = max(now.coordinator, number("VmHWM:", of: name) / 1024)
            } else if words.contains("--media-of"), isOurs(parent(of: parent(of: name))) {
                now.worker = max(now.worker, number("VmHWM:", of: name) / 1024)
            }
        }
        now.disk = workFolderBytes()
        state.withLock { state in
            state.peaks.worker = max(state.peaks.worker, now.worker)
            state.peaks.coordinator = max(state.peaks.coordinator, now.coordinator)
            state.peaks.disk = max(state.peaks.disk, now.disk)
        }
    }

    private func parent(of process: String) -> String { String(Int(number("PPid:", of: process))) }

    private func isOurs(_ process: String) -> Bool {
        let data = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
        return String(decoding: data, as: UTF8.self).contains(folder + "/soak.json")
    }

    /// A number of the process's status; memory is in KiB there.
    private func number(_ key: String, of process: String) -> Double {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0
    }

    /// Everything in the film's work folder but the growing film itself.
    private func workFolderBytes() -> Double {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard let work = names.first(where: { $0.hasPrefix(".\(output).splitreel-") }) else { return 0 }
        let path = folder + "/" + work
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter { !$0.hasPrefix("film") }.reduce(0) { sum, file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + file)
            return sum + Double(attributes?[.size] as? Int ?? 0)
        }
    }
}
