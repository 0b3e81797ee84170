import TestTools

extension FilmMaker {
    /// A tone, a file's sound at its own speed and another, and what nested compositions let hear.
    mutating func sounds(after count: Int) -> [Object] {
        assets["tone"] = ["kind": "tone", "frequency": numbers.next(in: 200..<2000)]
        assets["sound"] = ["url": sources.folder.file("late.mkv")]
        let start = numbers.next(in: 0..<30)
        let middle = length / 2
        var segments: [Object] = [
            ["asset": "sound", "source": [time(start), time(middle)], "target": [time(0), time(middle)]],
            [
                "asset": "sound", "source": [time(start), time(60)], "target": [time(middle), time(length - middle)],
                "pitch": "varispeed", "volume": number(0.25, 1),
            ],
        ]
        // No more than there is.
        let whole = sources.seconds * 100 - 5
        if start + middle > whole { segments[0]["source"] = [time(whole - middle), time(middle)] }
        var tracks: [Object] = [
            [
                "id": count + 1, "type": "audio",
                "segments": [["asset": "tone", "target": [time(0), time(length)]]],
            ], ["id": count + 2, "type": "audio", "segments": segments],
        ]
        if let nested = heard.first {
            use("nested sound")
            let part = min(length, nested.length)
            let target: [Object] = part < length ? [["target": [time(part), time(length - part)]]] : []
            tracks.append([
                "id": count + 3, "type": "audio",
                "segments": [
                    ["asset": nested.name, "source": [time(0), time(part)], "target": [time(0), time(part)]]
                ] + target,
            ])
        }
        return tracks
    }

    mutating func inputs(of tracks: [Object]) -> [Object] {
        var inputs: [Object] = []
        for track in tracks where chance(60) {
            inputs.append(["track": track["id"] ?? 0, "volume": keys { $0.number(0, 1) }])
        }
        return inputs
    }
}
