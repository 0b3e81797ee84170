package import MediaTime

/// The stretches of a track's media and the times at which they play, as a MOV or MP4 file says. All times are exact,
/// in seconds.
///
/// libavformat does plain lists itself: one stretch at its own speed, after a delay perhaps. It repeats the pictures
/// that lie at other stretches' edges or drops them, and knows no speed.
package struct EditList: Hashable, Sendable {
    package struct Edit: Hashable, Sendable {
        /// The edit's start in the file's presentation, in seconds from its zero.
        package var start: Rational
        package var duration: Rational
        /// The media's start in the track's own times, in seconds; nil where nothing is shown or heard.
        package var media: Rational?
        /// The seconds of media for one of the presentation; at 0 the picture at `media` stands still.
        package var rate = Rational(1)

        package init(start: Rational, duration: Rational, media: Rational? = nil, rate: Rational = Rational(1)) {
            self.start = start
            self.duration = duration
            self.media = media
            self.rate = rate
        }

        package var end: Rational { start + duration }
    }

    /// The edits, one after the other and none of them empty; at least one has media.
    package let edits: [Edit]

    /// A list of edits; nil where none of them shows anything, and where numbers are beyond those of films.
    package init?(_ edits: [Edit]) {
        let limit = Rational(ReadLimits.span)
        guard edits.contains(where: { $0.media != nil }), edits.count <= Self.most,
            edits.allSatisfy({ $0.duration > .zero && $0.end <= limit && $0.media ?? .zero <= limit }),
            edits.allSatisfy({ !$0.rate.isNegative && $0.rate <= Rational(1 << 15) })
        else { return nil }
        self.edits = edits
    }

    package static let most = 4096

    /// The time at which its first picture or sample is presented, in seconds.
    package var start: Rational { edits.first { $0.media != nil }?.start ?? .zero }
    /// The time at which its last picture or sample ends, in seconds.
    package var end: Rational { edits.last { $0.media != nil }?.end ?? .zero }

    /// The edit that is shown at a time: the one with media that the time lies in, or the last one after its end. The
    /// edit before a gap of up to a tenth of a second goes on through it. nil where nothing is shown.
    package func edit(at time: Rational) -> Edit? {
        let next = edits.partitionPoint { $0.start <= time }
        guard next > 0 else { return nil }
        let own = edits[next - 1]
        if own.media != nil { return own }
        guard let last = edits[..<next].last(where: { $0.media != nil }) else { return nil }
        guard let following = edits[next...].first(where: { $0.media != nil }) else { return last }
        return following.start - last.end <= Rational(1, 10) ? last : nil
    }
}

extension EditList.Edit {
    /// The time of the media that is shown at a time; media presented at `limit` or later is not in the edit. nil
    /// without media.
    package func media(at time: Rational) -> (time: Rational, limit: Rational)? {
        guard let media else { return nil }
        // A picture that stands still begins there at the latest.
        guard rate > .zero else { return (media, media + Rational(ReadLimits.span)) }
        return (media + (max(start, time) - start) * rate, media + duration * rate)
    }

    /// The presentation time of the media's time `time`, in seconds; no earlier than the edit begins.
    package func presentation(of time: Rational) -> Rational {
        guard let media, rate > .zero else { return start }
        return max(start, start + (time - media) / rate)
    }
}
