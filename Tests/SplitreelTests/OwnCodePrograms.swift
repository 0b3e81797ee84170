import Splitreel

// These stand in docs/guide/effects.md.

func registerHalf() {
    register(effect: "example.half") { source, output, request in
        output.withRows8 { y, target in
            source.withPlanes { planes in
                let row = (planes[0].base + y * planes[0].bytesPerRow).assumingMemoryBound(to: UInt8.self)
                for x in 0..<target.count { target[x] = x % 4 == 3 ? row[x] : row[x] / 2 }
            }
        }
    }
}

struct Split: Codable {
    var line = 0.5
    var title: String?
}

func registerSplit() {
    let split = Description(
        "example.titled-split", version: 1, "Two pictures beside each other.",
        parameters: [
            .number("line", 0...1, default: 0.5, "The share of the width on the left."),
            .value("title", "The text below."), .requiredTracks("tracks", "The tracks that are shown."),
        ], containsTweening: false)

    register(compositor: split) { request in
        let own = try request.parameters.decode(Split.self)
        let frame = request.context.makeFrame()
        frame.withRows8 { y, row in
            guard own.title != nil, y < frame.height / 2 else { return }
            for x in 0..<4 * Int(own.line * Double(frame.width)) { row[x] = 255 }
        }
        return frame
    }
}

func darkening(by share: Double) -> OwnCode {
    var code = OwnCode()
    code.register(effect: "example.dark") { source, output, request in
        output.withRows8 { y, target in
            source.withPlanes { planes in
                let row = (planes[0].base + y * planes[0].bytesPerRow).assumingMemoryBound(to: UInt8.self)
                for x in 0..<target.count { target[x] = x % 4 == 3 ? row[x] : UInt8(share * Double(row[x])) }
            }
        }
    }
    return code
}
