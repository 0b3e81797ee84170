import TestTools

/// Compositions over media that the tests make: every trait of the varied ones, in little.
struct MadeComposition: Sendable {
    var name: String
    var media: [MadeMedia]
    var options: [String] = []
    /// The project's text, given the files' paths by their names.
    var project: @Sendable ([String: String]) -> String
    /// The number that can be read at a composition's time; nil where nothing is said of it.
    var number: @Sendable (Fraction) -> Int?

    static let all = [dissolve, speeds, openAndEdited, layered, turned, tenBits]

    private static let size = (NumberedMedia.width, NumberedMedia.height)
    private static let identity: [Double] = [1, 0, 0, 1, 0, 0]
    private static let ntsc = Fraction(30_000, 1001)

    /// The frame of a constant rate that stands at a time of the source.
    private static func frame(_ time: Fraction, _ rate: Fraction) -> Int { (time * rate).floor }

    private static let dissolve = MadeComposition(
        name: "dissolve of 29.97 and 25 Hz", media: [.ntsc, .pal, .high]
    ) { paths in
        Text.project(
            paths,
            [
                Text.track(1, "video", Text.clip("ntsc", "0.5s", "1.6s", at: "0s")),
                Text.track(2, "video", Text.gap("0s", "1.2s"), Text.clip("pal", "1.01s", "1.4s", at: "1.2s")),
                Text.track(3, "audio", Text.clip("ntsc", "0.7s", "1.5s", at: "0s")),
                Text.track(4, "audio", Text.gap("0s", "1001/1500"), Text.clip("high", "1s", "1.9s", at: "1001/1500")),
            ], size: size, frame: "1001/30000",
            [
                Text.instruction("0s", "1.2s", Text.layer(1, identity)),
                Text.instruction(
                    "1.2s", "0.4s", Text.layer(1, identity, more: Text.ramp("opacity", "1.2s", "0.4s", "1", "0")),
                    Text.layer(2, identity)),
                Text.instruction("1.6s", "1s", Text.layer(2, identity)),
            ], inputs: [Text.volume(3, "0.5s", "1s", 1, 0.1), Text.volume(4, "1s", "1s", 0, 0.8)])
    } number: { time in
        if time < Fraction(6, 5) { return frame(time + Fraction(1, 2), ntsc) }
        if time < Fraction(8, 5) { return nil }
        return frame(time - Fraction(6, 5) + Fraction(101, 100), Fraction(25))
    }

    /// One and a half times as fast, then half as fast; sound by resampling.
    private static let speeds = MadeComposition(
        name: "speed changes and missing frames at 50 Hz", media: [.irregular, .deep, .low]
    ) { paths in
        Text.project(
            paths,
            [
                Text.track(
                    1, "video", Text.clip("irregular", "0.313s", "1.8s", at: "0s", for: "1.2s"),
                    Text.clip("deep", "0.507s", "0.6s", at: "1.2s", for: "1.2s")),
                Text.track(2, "audio", Text.clip("low", "0.2s", "3s", at: "0s", for: "2.4s")),
            ], size: size, frame: "1/50",
            [
                Text.instruction("0s", "1.2s", Text.layer(1, identity)),
                Text.instruction("1.2s", "1.2s", Text.layer(1, identity)),
            ])
    } number: { time in
        if time < Fraction(6, 5) {
            var number = frame(Fraction(313, 1000) + time * Fraction(3, 2), Fraction(25))
            while !MadeMedia.isKept(number) { number -= 1 }
            return number
        }
        return frame(Fraction(507, 1000) + (time - Fraction(6, 5)) * Fraction(1, 2), Fraction(24_000, 1001))
    }

    private static let openAndEdited = MadeComposition(
        name: "open GOP and edit lists at 24 Hz", media: [.open, .edited, .low]
    ) { paths in
        Text.project(
            paths,
            [
                Text.track(
                    1, "video", Text.clip("open", "0.3s", "1.2s", at: "0s"),
                    Text.clip("edited", "0.2s", "1.2s", at: "1.2s")),
                Text.track(2, "audio", Text.gap("0s", "1/3"), Text.clip("edited", "0.1s", "2s", at: "1/3")),
                Text.track(3, "audio", Text.clip("low", "0s", "2.2s", at: "0s")),
            ], size: size, frame: "1/24",
            [
                Text.instruction("0s", "1s", Text.layer(1, identity)),
                Text.instruction("1s", "1.4s", Text.layer(1, identity)),
            ], inputs: [Text.volume(3, "0s", "2s", 0.5, 0)])
    } number: { time in
        if time < Fraction(6, 5) { return frame(time + Fraction(3, 10), Fraction(24)) }
        return MadeMedia.firstEdited + frame(time - Fraction(1), ntsc)
    }

    /// Four layers; those above the numbered one stay off its first 32 rows.
    private static let layered = MadeComposition(
        name: "alpha, crops and ramps at 59.94 Hz", media: [.ntsc, .pal, .clear, .still, .high]
    ) { paths in
        Text.project(
            paths,
            [
                Text.track(1, "video", Text.clip("ntsc", "1.001s", "1.8s", at: "0s")),
                Text.track(2, "video", Text.clip("pal", "0.33s", "1.8s", at: "0s")),
                Text.track(3, "video", Text.clip("clear", "0.21s", "1.8s", at: "0s")),
                Text.track(4, "video", Text.still("still", at: "0s", for: "1.8s")),
                Text.track(5, "audio", Text.clip("high", "0.25s", "1.8s", at: "0s")),
            ], size: size, frame: "1001/60000",
            [
                Text.instruction(
                    "0s", "1.8s",
                    Text.layer(
                        4, [0.5, 0, 0, 0.5, 20, 40], to: [0.6, 0.2, -0.2, 0.6, 180, 60], "0s", "1.8s",
                        more: Text.ramp("opacity", "0.2s", "1s", "0.1", "0.9")),
                    Text.layer(3, [0.7, 0, 0, 0.7, 150, 60.5], more: ",\"opacity\":[{\"at\":\"0s\",\"value\":0.7}]"),
                    Text.layer(
                        2, [0.4, 0, 0, 0.4, 8.5, 70.25],
                        more: Text.ramp("crop", "0s", "1.5s", "[0,0,256,144]", "[60,40,100,70]")),
                    Text.layer(1, identity))
            ])
    } number: { time in
        frame(time + Fraction(1001, 1000), ntsc)
    }

    private static let turned = MadeComposition(
        name: "upside down, without instructions", media: [.turned, .pal, .low]
    ) { paths in
        Text.project(
            paths,
            [
                Text.track(1, "video", Text.clip("turned", "0.6s", "1.3s", at: "0s"), Text.gap("1.3s", "1s")),
                Text.track(2, "video", Text.gap("0s", "0.9s"), Text.clip("pal", "0.5s", "1.4s", at: "0.9s")),
                Text.track(3, "audio", Text.clip("low", "0s", "2.3s", at: "0s")),
            ], size: size, frame: nil)
    } number: { time in
        if time < Fraction(13, 10) { return frame(time + Fraction(3, 5), ntsc) }
        return frame(time - Fraction(9, 10) + Fraction(1, 2), Fraction(25))
    }

    private static let tenBits = MadeComposition(
        name: "ten bits in 4:2:2", media: [.deep, .open, .high], options: ["--pixel-format", "yuv422p10le"]
    ) { paths in
        Text.project(
            paths,
            [
                Text.track(1, "video", Text.clip("deep", "0.25s", "2s", at: "0s")),
                Text.track(2, "video", Text.clip("open", "0.1s", "2s", at: "0s")),
                Text.track(3, "audio", Text.clip("high", "0s", "2s", at: "0s")),
            ], size: size, frame: "1/30",
            [
                Text.instruction("0s", "0.5s", Text.layer(1, identity)),
                Text.instruction(
                    "0.5s", "1.5s",
                    Text.layer(
                        2, [0.3, 0, 0, 0.3, 20, 60], to: [0.2, 0.2, -0.2, 0.2, 150, 60], "0.5s", "1.5s",
                        more: Text.ramp("opacity", "0.5s", "1s", "0.3", "1")),
                    Text.layer(1, identity)),
            ])
    } number: { time in
        frame(time + Fraction(1, 4), Fraction(24_000, 1001))
    }
}
