import Foundation
import TestTools
import Testing

// Texts of DejaVu Sans's full block, a rectangle: `hb-shape --show-extents` tells where it lies, in 2048ths of an em.

extension KeyPathCase {
    static let block = (left: -20.0, top: 1921.0, width: 1615.0, height: 2433.0, advance: 1575.0, ascent: 1901.0)
    /// The text's layer begins there, from the left and the top of the canvas.
    private static let origin = (x: 24.0, y: 16.0)

    private static func layer(_ keys: String, font: String = "DejaVu Sans") -> String {
        let text = #""font": "\#(font)", "wrap": "none", "align": "left""#
        return """
            "bounds": [0, 0, 100, 80], "anchorPoint": [0, 0], "position": [24, 0],
            "contents": {"text": {\(text), \(keys)}}
            """
    }

    /// The block whose pen stands at `pen` and whose line begins at `line`, in the layer.
    private static func block(size: Double, pen: Double = 0, line: Double = 0, grown: Double = 0) -> Patch {
        let em = size / 2048
        let left = origin.x + pen + block.left * em
        let top = origin.y + line + (block.ascent - block.top) * em
        return Patch(
            left: left - grown, top: top - grown, right: left + block.width * em + grown,
            bottom: top + block.height * em + grown)
    }

    /// Text of a size, whose pixels follow from the value.
    private static func text(
        _ keyPath: String, _ from: [Double], _ to: [Double], _ keys: String,
        _ patches: @escaping @Sendable ([Double]) -> [Patch]
    ) -> KeyPathCase {
        KeyPathCase(keyPath, from, to, layer: layer(keys)) { frame, value, note in
            frame.expect(patches(value), within: 0.025, note)
        }
    }

    static let texts = [
        text("text.size", [16], [48], #""string": "█""#) { [block(size: $0[0])] },
        text("text.color", [1, 0, 0, 1], [0, 1, 0.5, 0.2], #""string": "█", "size": 40"#) {
            [block(size: 40).coloured($0)]
        },
        text("text.tracking", [0], [40], #""string": "██", "size": 32"#) {
            [block(size: 32), block(size: 32, pen: block.advance / 64 + $0[0])]
        },
        // Of a line that is higher than its font's each half of what it is more lies above and below it.
        KeyPathCase("text.leading", [20], [60], layer: layer(#""string": "█\n█", "size": 12, "leading": 20"#)) {
            frame, value, note in
            let column = frame.column(28)
            let starts = (1..<96).filter { column[$0 - 1] < 0.5 && column[$0] >= 0.5 }
            try #require(starts.count == 2, "\(note)")
            // Where a row is in part covered tells the rest.
            func edge(_ row: Int) -> Double { Double(row) + 1 - column[row] - (column[row - 1]) }
            #expect(abs(edge(starts[1]) - edge(starts[0]) - value[0]) < 0.05, "\(note): \(starts)")
        },
        // Two faces of one family, as Pango's own tool draws them: light at 300, bold at 700.
        KeyPathCase(
            "text.weight", [100], [900], layer: layer(#""string": "Ham", "size": 40"#, font: "Cantarell")
        ) { frame, value, note in
            let face = value[0] == 300 ? "Light" : "Bold"
            let folder = try TestFolder("weight")
            let view = try PangoView("Ham", font: "Cantarell \(face) 320px", margin: 80, in: folder)
            let theirs = view.reduced(by: 8, width: view.width / 8, height: view.height / 8)
            let ink = theirs.reduce(0) { $0 + 1 - $1[0] }
            #expect(abs(frame.ink - ink) < 0.01 * ink && ink > 100, "\(note): \(frame.ink) and \(ink)")
        },
        KeyPathCase("text.string", values: #""values": ["█", "█ █"]"#, layer: layer(#""string": "", "size": 24"#)) {
            frame, value, note in
            // A space is 651 wide.
            let second = block(size: 24, pen: (block.advance + 651) * 24 / 2048)
            frame.expect([block(size: 24)] + (value[0] == 0 ? [] : [second]), within: 0.025, note)
        },
        text("text.reveal", [0], [1], #""string": "████", "size": 16, "tracking": 8"#) { value in
            (0..<Int(value[0] * 4)).map { block(size: 16, pen: Double($0) * (block.advance / 128 + 8)) }
        },
    ]

    /// The keys of a text of one black block of a size, which is not seen itself.
    private static let hidden = #""string": "█", "size": 40, "color": [0, 0, 0, 1]"#
    private static let shade = block(size: 40).coloured([0, 0, 0, 1])

    /// The box of the text's one line: an advance wide, from the ascent to the descent of 483.
    private static let lineBox = Patch(
        left: origin.x, top: origin.y, right: origin.x + block.advance * 40 / 2048,
        bottom: origin.y + (block.ascent + 483) * 40 / 2048)

    static let textLooks = [
        // Its corners are round.
        KeyPathCase(
            "text.outline.width", [2], [10],
            layer: layer(#""string": "█", "size": 40, "outline": {"width": 0, "color": [1, 1, 1, 1]}"#)
        ) { frame, value, note in
            let (inner, width) = (block(size: 40), value[0])
            frame.expect([block(size: 40, grown: width)], within: 0.025, note) { x, y in
                (Double(x) > inner.left && Double(x) + 1 < inner.right)
                    || (Double(y) > inner.top && Double(y) + 1 < inner.bottom)
            }
            let (across, down) = (inner.right - inner.left, inner.bottom - inner.top)
            let area = across * down + 2 * width * (across + down) + .pi * width * width
            #expect(abs(frame.ink - area) < 0.003 * area, "\(note): \(frame.ink) of \(area)")
        },
        KeyPathCase(
            "text.outline.color", [1, 0, 0, 1], [0, 1, 0.5, 0.2],
            layer: layer(hidden + #", "outline": {"width": 6}"#)
        ) { frame, value, note in
            let inner = block(size: 40)
            frame.expect([block(size: 40, grown: 6).coloured(value), shade], within: 0.025, note) { x, y in
                (Double(x) > inner.left + 1 && Double(x) + 2 < inner.right)
                    || (Double(y) > inner.top + 1 && Double(y) + 2 < inner.bottom)
            }
        },
        // A blur of CSS is two deviations, within 5% of white of a Gaussian's in each pixel.
        KeyPathCase(
            "text.shadow.blur", [4], [20],
            layer: layer(
                #""string": "█", "size": 56, "color": [0,0,0,0], "shadow": {"offset": [8, 0], "color": [1, 1, 1, 1]}"#
            )
        ) { frame, value, note in
            let box = block(size: 56, pen: 8)
            let middle = Int((box.top + box.bottom) / 2)
            blurred(
                frame.row(middle), from: box.left, to: box.right, deviation: value[0] / 2, within: 0.05, note
            ) { _ in true }
        },
        text(
            "text.shadow.color", [1, 0, 0, 1], [0, 1, 0.5, 0.2], hidden + #", "shadow": {"offset": [50, 4], "blur": 0}"#
        ) { [block(size: 40, pen: 50, line: 4).coloured($0), shade] },
        KeyPathCase(
            "text.background.color", [1, 0, 0, 1], [0, 1, 0.5, 0.2],
            layer: layer(hidden + #", "background": {"color": [1, 0, 0, 1], "padding": [8, 16]}"#)
        ) { frame, value, note in
            let box = Patch(
                left: lineBox.left - 16, top: lineBox.top - 8, right: lineBox.right + 16, bottom: lineBox.bottom + 8)
            frame.expect([box.coloured(value), shade], within: 0.025, note)
        },
        KeyPathCase(
            "text.background.cornerRadius", [0], [16],
            layer: layer(
                #""string": "█", "size": 40, "color": [1,1,1,1], "background": {"color": [1, 1, 1, 1], "padding": 16}"#
            )
        ) { frame, value, note in
            let (across, down) = (lineBox.right - lineBox.left + 32, lineBox.bottom - lineBox.top + 32)
            let area = across * down - (4 - .pi) * value[0] * value[0]
            // Cairo has 15 rows a pixel.
            #expect(abs(frame.ink - area) < 0.001 * area, "\(note): \(frame.ink) of \(area)")
        },
    ]
}
