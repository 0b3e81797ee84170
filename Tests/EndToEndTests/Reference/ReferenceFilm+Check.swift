import TestSupport
import Testing

extension ReferenceFilm {
    /// Decibels between a rendered plane and the reference. Rounding to 8 bits once leaves 59, several layers 56.
    private static let bound = 54.0
    /// The same for the worst square of 16 samples, which tells what is wrong with a small layer: half a pixel gives
    /// less. 50 as a rule; 43 where the reference interpolates strong chroma for another matrix's luma, because it
    /// converts a picture before it scales it and the product does both at once.
    private static let squareBound = 42.0

    /// Compares three frames of a lossless render on every plane: at a sixth, a half and five sixths of it, which is
    /// where ramps and several layers are. Sources one frame early or late must be further off in luma, so that the
    /// source frames that show are the right ones.
    func check(_ file: String, _ name: String) throws {
        let film = try SourceFile(file, witness, isTimed: false).picture(nil)
        #expect(film.matrix == matrix, "\(name)")
        let numbers = [1, 3, 5].map { frameCount * $0 / 6 }
        let rendered = try film.frames(Set(numbers), witness)
        let moments = numbers.flatMap { number in [0, -1, 1].map { Moment(number: number, late: $0) } }
        let pictures = Dictionary(
            uniqueKeysWithValues: zip(moments, try pictures(moments, format: film.pixelFormat)))
        for number in numbers {
            let frame = try #require(rendered[number], "\(name): frame \(number)")
            func likeness(_ plane: Int, late: Int = 0) -> (whole: Double, worst: Double) {
                pictures[Moment(number: number, late: late)].map { frame.likeness(plane, $0) } ?? (0, 0)
            }
            for plane in 0..<3 {
                let found = likeness(plane)
                #expect(
                    found.whole >= Self.bound && found.worst >= Self.squareBound,
                    "\(name): frame \(number), plane \(plane) is off")
            }
            for late in [-1, 1] {
                #expect(
                    likeness(0, late: late).whole < likeness(0).whole,
                    "\(name): frame \(number) shows another source frame")
            }
        }
    }
}
