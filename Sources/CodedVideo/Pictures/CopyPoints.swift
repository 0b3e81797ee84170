/// Where a copy of compressed pictures may begin and end. It follows from the pictures alone, in the order of
/// decoding, and the times at which they are shown.
package struct CopyPoints: Hashable, Sendable {
    /// A picture at which a copy may begin.
    package struct Start: Hashable, Sendable {
        /// The picture's place in the order of decoding.
        package let index: Int
        /// Places of the pictures behind it that are shown before it, and that the copy must leave out. None of those
        /// that stay refers to one of them.
        package let leading: [Int]
        /// Whether the stream itself forgets here what was before: IDR and BLA. HEVC's CRA becomes a BLA where it is
        /// copied behind something else.
        package let isClosed: Bool
    }

    /// The starts, in order.
    package let starts: [Start]
    private let ends: [Bool]

    /// Whether a copy may end in front of the picture at a place: all before are shown before all that follow, and both
    /// fields of a frame are on one side. The number of pictures stands for the stream's end.
    package func mayEnd(before index: Int) -> Bool { ends.indices.contains(index) && ends[index] }

    /// Points of pictures in the order of decoding. `times` are those at which they are shown, in any unit, one for
    /// each picture.
    package init(_ pictures: [CodedPicture], times: [Int64]) {
        precondition(pictures.count == times.count, "each picture has a time")
        let order = pictures.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        let seconds = Self.secondFields(pictures, order)
        // For each place the picture that is shown first of all from there on.
        var first = Array(repeating: Int?.none, count: pictures.count + 1)
        for index in pictures.indices.reversed() {
            first[index] = first[index + 1].map { times[$0] < times[index] ? $0 : index } ?? index
        }
        var latest = Int64.min
        var ends: [Bool] = []
        for index in 0...pictures.count {
            ends.append(first[index].map { latest < times[$0] && !seconds.contains($0) } ?? true)
            if index < pictures.count { latest = max(latest, times[index]) }
        }
        self.ends = ends
        starts = pictures.indices.compactMap { Self.start($0, pictures, times, seconds) }
    }

    private static func start(
        _ index: Int, _ pictures: [CodedPicture], _ times: [Int64], _ seconds: Set<Int>
    ) -> Start? {
        let first = pictures[index]
        // H.264's recovery points begin no copy: numbers and marks of references behind them count what is before.
        guard first.mayStartWithoutLeading, first.kind != .recovery, !seconds.contains(index) else { return nil }
        let following = pictures[(index + 1)...].firstIndex { $0.mayStartWithoutLeading }
        let leading = (index + 1..<(following ?? pictures.count)).filter { times[$0] < times[index] }
        switch first.kind {
        case .idr where !leading.isEmpty:
            // The radical pictures of an HEVC IDR, which refer to nothing before it, may stay: they are shown first.
            let areDecodable = leading.allSatisfy { pictures[$0].kind == .decodableLeading }
            return areDecodable ? Start(index: index, leading: [], isClosed: true) : nil
        default: return Start(index: index, leading: leading, isClosed: first.mayStart)
        }
    }

    /// Places of the pictures that are the second field of a frame whose first field is a packet of its own, found in
    /// the order of showing.
    private static func secondFields(_ pictures: [CodedPicture], _ order: [Int]) -> Set<Int> {
        var seconds: Set<Int> = []
        for (before, after) in zip(order, order.dropFirst()) where !seconds.contains(before) {
            let (first, second) = (pictures[before], pictures[after])
            let areOpposite =
                first.structure == .topField && second.structure == .bottomField
                || first.structure == .bottomField && second.structure == .topField
            if areOpposite, first.frameNumber == second.frameNumber { seconds.insert(after) }
        }
        return seconds
    }
}
