internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaTime
internal import Outputs

extension OutputFile {
    /// Sets the chapters that players can jump to; comes before the header. `offset` moves all of them, in seconds.
    func setChapters(_ chapters: [FilmChapter], offset: Rational) throws {
        guard !chapters.isEmpty else { return }
        let tick = AVRational(num: 1, den: Self.clock(of: chapters, offset))
        func ticks(_ time: MediaTime) -> Int64 {
            Int64(((Rational(time) + offset) * Rational(Int(tick.den))).rounded())
        }
        let list = try unsafe checkAllocated(
            av_calloc(chapters.count, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride), "av_calloc"
        ).assumingMemoryBound(to: UnsafeMutablePointer<AVChapter>?.self)
        // The context frees the list and its chapters.
        unsafe context.pointee.chapters = list
        for (place, chapter) in chapters.enumerated() {
            let made = try unsafe checkAllocated(av_mallocz(MemoryLayout<AVChapter>.size), "av_mallocz")
                .assumingMemoryBound(to: AVChapter.self)
            unsafe list[place] = made
            unsafe context.pointee.nb_chapters = UInt32(place + 1)
            unsafe made.pointee.id = Int64(place + 1)
            unsafe made.pointee.time_base = tick
            unsafe (made.pointee.start, made.pointee.end) = (ticks(chapter.start), ticks(chapter.end))
            try unsafe check(
                av_dict_set(&made.pointee.metadata, "title", chapter.title, 0), "av_dict_set", subject: path,
                as: .muxFailed)
        }
    }

    /// The ticks in a second in which all their times are whole; 10⁹ where no number of 31 bits does.
    private static func clock(of chapters: [FilmChapter], _ offset: Rational) -> Int32 {
        var clock: Int128 = 1
        for time in chapters.flatMap({ [Rational($0.start) + offset, Rational($0.end) + offset] }) {
            let common = Rational(numerator: clock, denominator: time.denominator).numerator * time.denominator
            guard common <= Int128(Int32.max) else { return 1_000_000_000 }
            clock = common
        }
        return Int32(clock)
    }
}

extension [FilmChapter] {
    /// The chapters with an untitled one in each gap. MP4 and QuickTime have chapters as a track of text, whose samples
    /// follow each other from 0 on.
    var withoutGaps: [FilmChapter] {
        var (result, end): ([FilmChapter], MediaTime) = ([], .zero)
        for chapter in self {
            if end < chapter.start { result.append(FilmChapter(start: end, end: chapter.start, title: "")) }
            result.append(chapter)
            end = chapter.end
        }
        return result
    }
}
