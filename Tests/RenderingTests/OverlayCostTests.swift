import Foundation
import MediaTime
import Pictures
import Rendering
import Testing

/// The cost of overlays, by what was made for the frames and not by the time that it took.
@Suite("What overlays cost") struct OverlayCostTests {
    private static let text = #""text": {"string": "shaped once", "font": "DejaVu Sans", "size": 14"#
    private static let square = #""shape": {"path": "M4 4 h40 v10 h-40 z", "fillColor": [1, 1, 1, 1]}"#

    /// One with its picture, and keys of its own.
    private static func layer(_ contents: String, _ more: String = "") -> String {
        #"{"bounds": [0, 0, 100, 30], "position": [64, 48], "contents": {\#(contents)}\#(more)}"#
    }

    private static func animated(_ animations: String...) -> String {
        ", \"animations\": [\(animations.joined(separator: ", "))]"
    }

    private static let moving = #"{"keyPath": "position.x", "from": 20, "to": 90, "duration": "4s"}"#
    private static let fading = #"{"keyPath": "opacity", "from": 1, "to": 0.2, "duration": "4s"}"#

    /// A second of frames; what was made for the first of them, and for all others.
    private static func cost(_ tree: RenderedTree) throws -> (first: Int, others: Int, frames: [TreeFrame]) {
        var frames = [try tree.frame(at: Rational(1, 25))]
        let first = tree.composer.madePictures
        for number in 2...25 { frames.append(try tree.frame(at: Rational(number, 25))) }
        return (first, tree.composer.madePictures - first, frames)
    }

    /// Something small moves, so that every frame is another one: what stands still is not made again.
    @Test func whatStandsStillIsMadeOnce() throws {
        let mark = #"{"bounds": [0, 0, 4, 4], "position": [9, 9], "backgroundColor": [1, 1, 1, 1]"#
        let mover = mark + Self.animated(Self.moving) + "}"
        let alone = try Self.cost(try RenderedTree(mover))
        let tree = try RenderedTree(
            [Self.layer(Self.text + "}"), Self.layer(Self.square), mover].joined(separator: ", "))
        let all = try Self.cost(tree)
        #expect(all.first == alone.first + 2 && alone.others == 0 && all.others == 0)
        #expect(Set(all.frames.map { $0.row(87) }).count == 25)
        #expect(tree.composer.shapedTexts == 1)
    }

    /// Drawings, gradients, and what needs a picture of its own: a faded pair of layers, and one beneath a mask.
    @Test(arguments: [
        layer(text + "}", animated(moving, fading)), layer(square, animated(moving, fading)),
        layer(
            #""gradient": {"stops": [{"at": 0, "color": [0, 0, 0, 1]}, {"at": 1, "color": [1, 1, 1, 1]}]}"#,
            animated(moving, fading)),
        layer(text + "}", #", "backgroundColor": [0.5, 0, 0, 1]"# + animated(moving, fading)),
        layer(
            square,
            #", "mask": {"bounds": [0, 0, 30, 9], "position": [30, 20], "backgroundColor": [0, 0, 0, 1]}"#
                + animated(moving, fading)),
        layer(
            square,
            animated(moving, fading, #"{"keyPath": "transform.rotation", "from": 0, "to": 90, "duration": "4s"}"#)),
    ])
    func whatMovesAndFadesIsMadeOnce(_ layer: String) throws {
        let tree = try RenderedTree(layer, bounds: (640, 480), canvas: PixelSize(width: 640, height: 480))
        let found = try Self.cost(tree)
        #expect(found.first > 0 && found.others == 0, "\(layer): \(found.first), then \(found.others)")
        // All frames differ.
        #expect(zip(found.frames, found.frames.dropFirst()).allSatisfy { $0 != $1 })
        #expect(tree.composer.shapedTexts == (layer.contains("text") ? 1 : 0))
    }

    /// What changes the picture makes it again for each frame, and shapes no text again where only its looks change.
    @Test func whatChangesIsMadeForEachFrame() throws {
        func cost(_ animation: String) throws -> (made: Int, shaped: Int) {
            let tree = try RenderedTree(Self.layer(Self.text + "}", Self.animated(animation)))
            return (try Self.cost(tree).others, tree.composer.shapedTexts)
        }
        let colour = try cost(
            #"{"keyPath": "text.color", "from": [1, 0, 0, 1], "to": [0, 1, 0, 1], "duration": "4s"}"#)
        #expect(colour == (24, 1))
        let reveal = try cost(#"{"keyPath": "text.reveal", "from": 0, "to": 1, "duration": "40s"}"#)
        #expect(reveal == (24, 1))
        let size = try cost(#"{"keyPath": "text.size", "from": 10, "to": 20, "duration": "4s"}"#)
        #expect(size == (24, 25))
    }

    /// On a canvas of twice the units: 40×10 of them are 80×20 pixels, of four planes of bytes.
    @Test func aDrawingHasItsOwnPixelsAlone() throws {
        let canvas = PixelSize(width: 1280, height: 960)
        func bytes(_ layers: String) throws -> Int {
            let tree = try RenderedTree(layers, bounds: (640, 480), canvas: canvas)
            _ = try tree.frame(at: Rational(1))
            return tree.composer.drawingByteCount
        }
        let none = try bytes(#"{"bounds": [0, 0, 9, 9]}"#)
        #expect(try bytes(Self.layer(Self.square)) - none == 80 * 20 * 4)
        // As large as it gets, though at the animation's end it is as before: five times that, and a part of a pixel
        // on each side, for it gets no larger than almost that.
        let growing = #"{"keyPath": "transform.scale", "from": 1, "to": 5, "duration": "4s"}"#
        let grown = try bytes(Self.layer(Self.square, Self.animated(growing))) - none
        #expect((400 * 100 * 4...402 * 102 * 4).contains(grown), "\(grown)")
        // Half of its way, cut off by its group, and with each play where the last one ended: 5, 5 and 3 times that.
        let to9 = #""keyPath": "transform.scale", "from": 1, "to": 9, "duration": "4s""#
        for (animation, least) in [
            (#"{\#(to9), "repeat": 0.5}"#, 400 * 100 * 4),
            (#"{"duration": "2s", "animations": [{\#(to9)}]}"#, 400 * 100 * 4),
            (
                #"""
                {"keyPath": "transform.scale", "from": 1, "to": 1.5, "duration": "1s", "repeat": 2, "cumulative": true}
                """#, 240 * 60 * 4
            ),
        ] {
            let grown = try bytes(Self.layer(Self.square, Self.animated(animation))) - none
            #expect(grown >= least && grown <= least * 11 / 10, "\(animation): \(grown)")
        }
        let turning = #"{"keyPath": "transform.rotation", "from": 0, "to": 359, "duration": "4s"}"#
        #expect(try bytes(Self.layer(Self.square, Self.animated(turning))) - none == 80 * 20 * 4)
    }

    /// Columns of a canvas of 128, each the edge of a shape of that size that lies beyond it for the most part.
    private static func large(_ count: Int, _ side: Int) -> String {
        (0..<count).map { number in
            let grey = Double(number + 1) / Double(count)
            return """
                {"bounds": [0, 0, \(side), \(side)], "anchorPoint": [0, 0], "position": [\(8 * number), -10],
                 "contents": {"shape": {"path": "M0 0 h\(side) v\(side) h-\(side) z",
                    "fillColor": [\(grey), \(grey), \(grey), 1]}}}
                """
        }.joined(separator: ", ")
    }

    private static let mostBytes = 64 << 20

    /// Sixteen drawings of 8 MiB each: at no time more than 64 MiB of them are kept, and the pixels are as they are.
    @Test func whatIsKeptIsBounded() throws {
        let (count, side) = (16, 1446)
        let mover = #"{"bounds": [0, 0, 4, 4], "position": [9, 92], "backgroundColor": [0, 0, 0, 1]"#
        let tree = try RenderedTree(
            Self.large(count, side) + ", " + mover + Self.animated(Self.moving) + "}")
        for number in 1...3 {
            let frame = try tree.frame(at: Rational(number, 25))
            let kept = tree.composer.drawingByteCount
            #expect(kept <= Self.mostBytes && kept > Self.mostBytes - 4 * side * side, "\(kept)")
            frame.expect(
                (0..<count).map { column in
                    let grey = Double(column + 1) / Double(count)
                    return Patch(left: 8 * Double(column), top: 0, right: 128, bottom: 96)
                        .coloured([grey, grey, grey, 1])
                }
            ) { _, y in y > 20 }
        }
    }

    /// One that is larger than all that may be kept is kept alone, and makes way for the others.
    @Test func oneThatIsTooLargeIsKeptAlone() throws {
        let side = 4200
        let small = (0..<4).map { _ in Self.layer(Self.square) }.joined(separator: ", ")
        let huge = try RenderedTree(Self.large(1, side))
        _ = try huge.frame(at: Rational(1))
        #expect(huge.composer.drawingByteCount == 4 * side * side)
        let both = try RenderedTree(Self.large(1, side) + ", " + small)
        _ = try both.frame(at: Rational(1))
        #expect(both.composer.drawingByteCount < 4096 * 4)
    }

    /// Twenty pairs of layers that fade together, each a picture of 4.7 MiB: of what stands still of them 64 MiB are
    /// kept for the next frame.
    @Test func groupsThatAreKeptAreBounded() throws {
        let canvas = PixelSize(width: 1280, height: 960)
        let whole = #""bounds": [0, 0, 1280, 960], "anchorPoint": [0, 0]"#
        let pairs = (1...20).map { number in
            let white = "\"backgroundColor\": [1, 1, 1, \(Double(number) / 40)]"
            return "{\(whole), \"opacity\": 0.5, \(white), \"sublayers\": [{\(whole), \(white)}]}"
        }
        let tree = try RenderedTree(pairs.joined(separator: ", "), bounds: (1280, 960), canvas: canvas)
        _ = try tree.frame(at: Rational(1))
        let kept = tree.composer.groupByteCount
        let one = 4 * canvas.width * canvas.height
        #expect(kept <= Self.mostBytes && kept > Self.mostBytes - one && tree.composer.madePictures >= 20, "\(kept)")
    }
}
