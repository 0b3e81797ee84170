/// The units of a source that will be read, in the order of the packets that will be read of it. From afar, the next
/// bytes of a file are often not wanted: they are another track's, or behind the chunk's end.
struct ReadAhead {
    /// The units that one reader will come to.
    private struct Course {
        var units: [BlockUnit] = []
        var places: [BlockUnit: Int] = [:]
        /// The number of units, from the first, that were told.
        var told = 0
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
        var course = Course()
        for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let place = place.clamped(to: 0..<map.byteCount)
            guard !place.isEmpty else { continue }
            let first = map.unit(at: place.lowerBound, grain)
            let last = map.unit(at: place.upperBound - 1, grain)
            for number in first.number...last.number where course.units.count < Self.mostUnits {
                let unit = BlockUnit(first.grain, number)
                guard course.places[unit] == nil else { continue }
                course.places[unit] = course.units.count
                course.units.append(unit)
            }
        }
        guard !course.units.isEmpty else { return }
        courses.append(course)
        if courses.count > Self.mostCourses { courses.removeFirst() }
    }

    /// The units to get now that a reader has come to this one: each is told once.
    mutating func next(after unit: BlockUnit) -> [BlockUnit] {
        var next: [BlockUnit] = []
        for index in courses.indices {
            guard let place = courses[index].places[unit] else { continue }
            let course = courses[index]
            let first = max(place + 1, course.told)
            let end = min(course.units.count, place + 1 + max(1, Self.depth / unit.grain.byteCount))
            guard first < end else { continue }
            next += course.units[first..<end]
            courses[index].told = end
        }
        return next
    }
}
