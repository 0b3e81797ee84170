/// The units of a source that will be read, in the order of the packets that will be read of it. From afar, the next
/// bytes of a file are often not wanted: they are another track's, or behind the chunk's end.
///
/// A block half of whose extents will be read, or more, is one unit: sound that lies so thickly comes in a sixteenth of
/// the questions, and as the blocks that readers of pictures want.
struct ReadAhead {
    /// The units that one reader will come to.
    private struct Course {
        var units: [BlockUnit] = []
        var places: [BlockUnit: Int] = [:]
        /// The number of units, from the first, that were told.
        var told = 0

        mutating func add(_ unit: BlockUnit) {
            guard places[unit] == nil else { return }
            places[unit] = units.count
            units.append(unit)
        }

        /// The place behind the units that are told to a reader at a place: some bytes, and one unit at least.
        func end(after place: Int) -> Int {
            var end = place + 1
            var bytes = 0
            while end < units.count, bytes < ReadAhead.depth {
                bytes += units[end].grain.byteCount
                end += 1
            }
            return end
        }
    }

    private var courses: [Course] = []

    /// The most readers whose courses are known; the oldest are forgotten.
    private static let mostCourses = 16
    /// The most units of one reader's course.
    private static let mostUnits = 1 << 20

    /// The bytes that are told ahead of where a reader is.
    static let depth = 2 << 20

    /// Adds the places at which a reader will read, in any order.
    mutating func expect(_ places: [Range<Int>], of map: BlockMap, _ grain: BlockGrain) {
        var units: [BlockUnit] = []
        var extents: [BlockUnit: Int] = [:]
        for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let place = place.clamped(to: 0..<map.byteCount)
            guard !place.isEmpty else { continue }
            let first = map.unit(at: place.lowerBound, grain)
            let last = map.unit(at: place.upperBound - 1, grain)
            // Places may overlap, and are in the order of their starts.
            let next = max(first.number, units.last.map { $0.number + 1 } ?? 0)
            guard next <= last.number else { continue }
            for number in next...last.number where units.count < Self.mostUnits {
                let unit = BlockUnit(first.grain, number)
                units.append(unit)
                if unit.grain == .extent { extents[unit.block, default: 0] += 1 }
            }
        }
        var course = Course()
        for unit in units {
            let isThick = extents[unit.block, default: 0] >= BlockUnit.extentsOfBlock / 2
            course.add(isThick ? unit.block : unit)
        }
        guard !course.units.isEmpty else { return }
        courses.append(course)
        if courses.count > Self.mostCourses { courses.removeFirst() }
    }

    /// The unit as which a reader will come to an extent: itself, or its block; nil where none is known to.
    func expected(_ extent: BlockUnit) -> BlockUnit? {
        [extent.block, extent].first { unit in courses.contains { $0.places[unit] != nil } }
    }

    /// The units to get now that a reader has come to this one: each is told once.
    mutating func next(after unit: BlockUnit) -> [BlockUnit] {
        var next: [BlockUnit] = []
        for index in courses.indices {
            guard let place = courses[index].places[unit] else { continue }
            let course = courses[index]
            let first = max(place + 1, course.told)
            let end = course.end(after: place)
            guard first < end else { continue }
            next += course.units[first..<end]
            courses[index].told = end
        }
        return next
    }
}
