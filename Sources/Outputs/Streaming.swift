package import MediaTime

/// A text file that says how the films of a job are streamed: it has neither picture nor sound of its own.
package struct StreamDocument: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// HLS's lists: one of all renditions, and one of the segments of one film.
        case master, playlist
        /// DASH's manifest, with everything in one.
        case manifest
    }

    /// A film that the document is about.
    package struct Member: Hashable, Codable, Sendable {
        /// The name of the film's file, in the document's own folder.
        package var name: String
        /// The name of the file that lists the film's segments; nil where the document does.
        package var playlist: String?
        /// The film's index among the job's outputs.
        package var output: Int

        package init(name: String, playlist: String? = nil, output: Int = 0) {
            self.name = name
            self.playlist = playlist
            self.output = output
        }
    }

    package var kind: Kind
    package var members: [Member]
    /// The time from the start of one segment to the next, in seconds, as `value/timescale`.
    package var interval: String

    package init(kind: Kind, members: [Member], interval: String) {
        self.kind = kind
        self.members = members
        self.interval = interval
    }

    /// The interval in seconds; six where the text is no interval.
    package var seconds: Rational { SegmentInterval.read(interval) ?? Rational(6) }
}

/// The lengths that a stream's segments may have.
package enum SegmentInterval {
    package static let usual = "6s"
    private static let range = Rational(1, 2)...Rational(60)

    /// The length in seconds; nil where the text is no time from half a second to a minute.
    package static func read(_ text: String) -> Rational? {
        guard let time = MediaTime(text: text), time.isNumeric else { return nil }
        return range.contains(Rational(time)) ? Rational(time) : nil
    }
}

extension FrameTiming {
    /// The frames with which a stream's segments begin, without the first: one for each whole interval, all of them
    /// below `frameCount`.
    package func segmentStarts(every interval: Rational, frameCount: Int) -> [Int] {
        var starts: [Int] = []
        var number = 1
        while true {
            let frame = firstFrame(atOrAfter: interval * Rational(number))
            guard frame < frameCount else { return starts }
            if frame > starts.last ?? 0 { starts.append(frame) }
            // Frames may be longer than intervals.
            number = max(number, (time(ofFrame: frame) / interval).floor()) + 1
        }
    }
}
