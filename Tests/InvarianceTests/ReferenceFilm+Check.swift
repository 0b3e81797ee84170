import Oracle
import TestTools
import Testing

extension ReferenceFilm {
    /// Decibels between a rendered plane and the reference. Rounding to 8 bits once leaves 59, several layers 56.
    private static let bound = 54.0
    /// The same for the worst square of 16 samples, which tells what is wrong with a small layer: half a pixel gives
    /// less.
    private static let squareBound = 42.0

    /// Compares three frames of a lossless render on every plane: at a sixth, a half and five sixths of it, which is
    /// where ramps and several layers are. Sources one frame early or late must be further off in luma, so that the
    /// source frames that show are the right ones.
    func check(_ file: String, _ name: String) throws {
        let film = try SourceFile(file, sources.witness, isTimed: false).picture(nil)
        #expect(film.matrix == matrix, "\(name)")
        let numbers = [1, 3, 5].map { frameCount * $0 / 6 }
        func likeness(late: Int) throws -> [[Likeness]] {
            try compare(file, numbers, format: film.pixelFormat, late: late)
        }
        let found = try likeness(late: 0)
        for (number, planes) in zip(numbers, found) {
            for (plane, likeness) in planes.enumerated() {
                #expect(
                    likeness.whole >= Self.bound && likeness.worst >= Self.squareBound,
                    "\(name): frame \(number), plane \(plane) is off: \(likeness)")
            }
        }
        for late in [-1, 1] {
            for (index, planes) in try likeness(late: late).enumerated() {
                #expect(
                    planes[0].whole < found[index][0].whole,
                    "\(name): frame \(numbers[index]) shows another source frame")
            }
        }
    }
}
