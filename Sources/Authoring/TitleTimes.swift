package import MediaTime

/// The times of a film's title, chapter cards and name plates. No two of these stand at once, unless they have less
/// than a fifth of a second together.
struct TitleTimes {
    typealias Span = (start: Rational, length: Rational)

    /// A caption with its time.
    private struct Placed {
        var noun: String
        var caption: FilmTitles.Caption
        var span: Span
    }

    /// The title's time; nil without a title.
    private(set) var title: Span?
    /// The times of chapter cards and of name plates, by the number of their clip from 0.
    private(set) var chapters: [Int: Span] = [:]
    private(set) var plates: [Int: Span] = [:]
    private var placed: [Placed] = []

    init(_ titles: FilmTitles, _ schedule: FilmTitles.Schedule) {
        var free = schedule.start
        if let caption = titles.title {
            var length = min(max(Rational(4), caption.readingTime), schedule.end - schedule.start)
            for (index, clip) in schedule.clips.enumerated() {
                let captions = [titles.chapters.at(index), titles.lowerThirds.at(index)].compactMap { $0 }
                let following = captions.reduce(Rational.zero) { $0 + $1.readingTime }
                let first = Self.first(caption, usual: Rational(4), before: following, in: clip.end - schedule.start)
                if following > .zero { length = min(length, first) }
            }
            let span = (start: schedule.start, length: max(Self.least, length))
            title = span
            placed.append(Placed(noun: "the title", caption: caption, span: span))
            free = span.start + span.length
        }
        for (index, clip) in schedule.clips.enumerated() {
            place(titles.chapters.at(index), titles.lowerThirds.at(index), index, from: max(clip.start, free), clip.end)
        }
    }

    /// Places a clip's captions, the card before the plate.
    private mutating func place(
        _ chapter: FilmTitles.Caption?, _ plate: FilmTitles.Caption?, _ index: Int, from start: Rational,
        _ end: Rational
    ) {
        var start = start
        if let chapter {
            let length = Self.first(chapter, usual: Rational(3), before: plate?.readingTime ?? .zero, in: end - start)
            let span = (start: start, length: length)
            chapters[index] = span
            placed.append(Placed(noun: "the chapter card of clip \(index + 1)", caption: chapter, span: span))
            start += length
        }
        guard let plate else { return }
        // A plate opens a second after the picture has come, where that leaves time to read it.
        let later = start + Rational(1)
        let begin = end - later >= plate.readingTime ? later : start
        let span = (start: begin, length: max(Self.least, min(max(Rational(5), plate.readingTime), end - begin)))
        plates[index] = span
        placed.append(Placed(noun: "the name plate of clip \(index + 1)", caption: plate, span: span))
    }

    /// The seconds that templates take at least.
    private static let least = Rational(1, 10)

    /// The seconds of a caption that comes before others in so much room: as usual, or as it takes to read it, and less
    /// where the others could not be read.
    private static func first(
        _ caption: FilmTitles.Caption, usual: Rational, before following: Rational, in room: Rational
    ) -> Rational {
        let own = caption.readingTime
        guard room < own + following else { return min(max(usual, own), room - following) }
        let share = room * own / (own + following)
        return max(least, Rational((share * Rational(100)).floor(), 100))
    }

    /// The captions that stand for less time than it takes to read them, in words.
    var remarks: [String] {
        placed.filter { $0.span.length < $0.caption.readingTime }.map { short in
            let (stands, takes) = (short.span.length.shortSeconds, short.caption.readingTime.shortSeconds)
            return "\(short.noun), “\(short.caption.text)”, stands for \(stands) s, and to read it takes \(takes) s: "
                + "give its clip more time, or write fewer words"
        }
    }
}

extension FilmTitles.Caption {
    /// The seconds that it takes to see and to read the words: one, and one for each fifteen letters, in tenths.
    package var readingTime: Rational {
        let letters = text.count + detail.count
        return Rational(((15 + letters) * 10 + 14) / 15, 10)
    }
}

extension [FilmTitles.Caption?] {
    fileprivate func at(_ index: Int) -> FilmTitles.Caption? { index < count ? self[index] : nil }
}
