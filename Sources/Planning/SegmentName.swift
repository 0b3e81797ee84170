// The names of segments: the coordinator makes them, and a worker takes no other.
extension PlanPart {
    /// The name of the first file of the part's segment that the attempt of an epoch makes: `chunk-000003-1.nut`.
    package func segmentName(epoch: Int) -> String {
        switch self {
        case .audio: "sound-\(epoch).nut"
        case .soundPart(let part): RenderPlan.soundPartName(part, epoch: epoch)
        case .analysis(let chunk): "analysis-\(Self.padded(chunk))-\(epoch).json"
        case .chunk(let chunk): "chunk-\(Self.padded(chunk))-\(epoch).nut"
        }
    }

    /// The part whose segment has that name; nil where no part's has.
    package init?(segmentName name: String, epoch: Int) {
        let number = name.split(separator: "-").dropFirst().first.flatMap { Int($0) } ?? 0
        let parts: [PlanPart] = [.audio, .chunk(number), .soundPart(number), .analysis(number)]
        guard let part = parts.first(where: { $0.segmentName(epoch: epoch).utf8.elementsEqual(name.utf8) }) else {
            return nil
        }
        self = part
    }

    private static func padded(_ number: Int) -> String {
        String(repeating: "0", count: max(0, 6 - String(number).count)) + String(number)
    }
}
