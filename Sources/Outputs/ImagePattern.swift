/// The name of a sequence of images: `%d`, `%5d` or `%05d`, once, in the file's name stands for the frame's number.
///
/// The film's first frame has the number 1, as `frame` and other programs have it, unless another is said; numbers that
/// are longer than the pattern says are written whole. A name without any stands for one image.
package struct ImagePattern: Hashable, Sendable {
    /// The path with the pattern in it; its folder is taken as it stands.
    package let path: String
    private let folder: Substring
    private let name: String
    private let firstNumber: Int

    /// Whether the name has a number; if not, it stands for one image.
    package var hasNumber: Bool { name.contains("%") }

    /// Reads a pattern; nil where the name has two numbers, or another sign of per cent.
    package init?(_ path: String, firstNumber: Int = 1) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = String(path[start...])
        let signs = name.count { $0 == "%" }
        guard signs == 0 || signs == 1 && name.contains(/%0?\d{0,2}d/) else { return nil }
        self.path = path
        folder = path[..<start]
        self.name = name
        self.firstNumber = firstNumber
    }

    /// The pattern of an output that is a sequence of images, or one image, by its name's ending; nil for films.
    package init?(ofOutput path: String, firstNumber: Int) {
        guard (try? Container(forPath: path))?.kind == .images else { return nil }
        self.init(path, firstNumber: firstNumber)
    }

    /// Whether images of both, in one folder, can have one name. The number of images is not asked.
    package func overlaps(_ other: ImagePattern) -> Bool {
        guard let own = parts, let others = other.parts else { return names(other.name) || other.names(name) }
        // A name that both have begins and ends with the longer ones of what stands around the numbers.
        let head = own.head.count > others.head.count ? own.head : others.head
        let tail = own.tail.count > others.tail.count ? own.tail : others.tail
        let middles = [""] + (0..<Self.mostDigits).map { "1" + String(repeating: "0", count: $0) }
        return middles.contains { middle in
            let name = String(head) + middle + tail
            return names(name) && other.names(name)
        }
    }

    /// The most digits of a number: no film has so many frames.
    private static let mostDigits = 13

    /// The texts before and after the number; nil where there is none.
    private var parts: (head: Substring, tail: Substring)? {
        name.firstRange(of: /%0?\d{0,2}d/).map { (name[..<$0.lowerBound], name[$0.upperBound...]) }
    }

    /// The path of a frame's image; frames count from 0.
    package func path(ofFrame frame: Int) -> String { folder + NumberedPath.path(name, frame + firstNumber) }

    /// Whether a file of that name in the pattern's folder could be one of the sequence.
    package func names(_ file: String) -> Bool {
        guard let (head, tail) = parts else { return file == name }
        guard file.hasPrefix(head), file.hasSuffix(tail), file.count > head.count + tail.count else { return false }
        let digits = file.dropFirst(head.count).dropLast(tail.count)
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits), number >= firstNumber else {
            return false
        }
        return NumberedPath.path(name, number) == file
    }
}
