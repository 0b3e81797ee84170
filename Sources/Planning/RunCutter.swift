/// Cuts the frames [0, frameCount) into chunks at instruction boundaries; integers only, no media.
///
/// 1. Every boundary starts a run. 2. A run below the minimum joins the one before it, the first joins the next.
/// 3. A run above the maximum is cut into equal parts counted from its own first frame, so that an edit of another run
/// moves no cut; each cut may move to a source key frame within a quarter part.
package struct RunCutter {
    package struct Cut: Hashable {
        package var frame: Int
        package var why: String
    }

    package var frameCount: Int
    package var limits: ChunkLimits
    /// First frames of the instructions, not decreasing; those of instructions that hold no frame equal the next one's.
    package var boundaries: [Int]
    /// The reason why the first run begins where it does.
    package var beginning = "start"
    /// The output frame nearest to a frame, within that reach, where a source key frame first shows; nil for none.
    package var keyFrame: (_ frame: Int, _ reach: Int) -> Int?

    package init(
        frameCount: Int, limits: ChunkLimits, boundaries: [Int],
        keyFrame: @escaping (_ frame: Int, _ reach: Int) -> Int?
    ) {
        self.frameCount = frameCount
        self.limits = limits
        self.boundaries = boundaries
        self.keyFrame = keyFrame
    }

    /// First frames of all chunks, strictly rising, the first one 0; empty where there are no frames.
    package func cuts() -> [Cut] {
        guard frameCount > 0 else { return [] }
        guard let maximum = limits.maximumFrames else { return [Cut(frame: 0, why: "one chunk asked for")] }
        var cuts: [Cut] = []
        let runs = joinedRuns()
        for (position, run) in runs.enumerated() {
            let end = position + 1 < runs.count ? runs[position + 1].frame : frameCount
            cuts.append(run)
            cut(run.frame..<end, maximum: maximum, into: &cuts)
        }
        return cuts
    }

    private func joinedRuns() -> [Cut] {
        var starts = [0]
        for boundary in boundaries where boundary > starts[starts.count - 1] && boundary < frameCount {
            starts.append(boundary)
        }
        var runs: [(start: Int, joined: Int)] = []
        for (position, start) in starts.enumerated() {
            let end = position + 1 < starts.count ? starts[position + 1] : frameCount
            let isShort = end - start < limits.minimumFrames
            if let last = runs.last {
                // The first run takes the next one in while it is itself too short.
                let firstIsShort = runs.count == 1 && start - last.start < limits.minimumFrames
                if isShort || firstIsShort {
                    runs[runs.count - 1].joined += 1
                    continue
                }
            }
            runs.append((start, 0))
        }
        return runs.map { run in
            var why = run.start == 0 ? beginning : "instruction boundary"
            if run.joined > 0 { why += ", \(run.joined) more joined: shorter than \(limits.minimumFrames) frames" }
            return Cut(frame: run.start, why: why)
        }
    }

    private func cut(_ run: Range<Int>, maximum: Int, into cuts: inout [Cut]) {
        guard run.count > maximum else { return }
        let parts = (run.count - 1) / maximum + 1
        let reach = run.count / parts / 4
        for part in 1..<parts {
            let nominal = run.lowerBound + run.count * part / parts
            var cut = Cut(frame: nominal, why: "part \(part + 1) of \(parts) of a run of \(run.count) frames")
            if reach > 0, let key = keyFrame(nominal, reach), abs(key - nominal) <= reach, key != nominal {
                cut.frame = key
                cut.why += ", moved \(key > nominal ? "+" : "")\(key - nominal) to a key frame"
            }
            cuts.append(cut)
        }
    }
}
