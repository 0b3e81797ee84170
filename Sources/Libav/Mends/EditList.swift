package import MediaTime

/// Which stretches of a track's media play when, as a MOV or MP4 file says. All times are exact, in seconds.
///
/// libavformat does plain lists itself: one stretch at its own speed, after a delay perhaps. It repeats the pictures
/// that lie at other stretches' edges or drops them, and knows no speed.
package struct EditList: Hashable, Sendable {
    package struct Edit: Hashable, Sendable {
        /// In the file's presentation, from its zero.
        package var start: Rational
        package var duration: Rational
        /// In the track's own times; nil where nothing is shown or heard.
        package var media: Rational?
        /// Seconds of media for one of the presentation; 0: what is shown at `media` stands.
        package var rate = Rational(1)

        package init(start: Rational, duration: Rational, media: Rational? = nil, rate: Rational = Rational(1)) {
            self.start = start
            self.duration = duration
            self.media = media
            self.rate = rate
        }

        package var end: Rational { start + duration }
    }

    /// One after the other, none of them empty; at least one has media.
    package let edits: [Edit]

    /// nil where nothing of it is shown, and where numbers are beyond those of films.
    package init?(_ edits: [Edit]) {
        let limit = Rational(ReadLimits.span)
        guard edits.contains(where: { $0.media != nil }), edits.count <= Self.most,
            edits.allSatisfy({ $0.duration > .zero && $0.end <= limit && $0.media ?? .zero <= limit }),
            edits.allSatisfy({ !$0.rate.isNegative && $0.rate <= Rational(1 << 15) })
        else { return nil }
        self.edits = edits
    }

    package static let most = 4096

    /// When its first picture or sample is presented.
    package var start: Rational { edits.first { $0.media != nil }?.start ?? .zero }
    /// When its last one ends.
    package var end: Rational { edits.last { $0.media != nil }?.end ?? .zero }

    /// The edit that shows what there is at a time: the one with media that the time lies in; after the last one that.
    /// What stands is not taken away for a gap of a tenth of a second, at most. nil where nothing is shown.
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
    /// The time of the media that is shown at a time; what is presented no earlier than `limit` is not in the edit.
    package func media(at time: Rational) -> (time: Rational, limit: Rational)? {
        guard let media else { return nil }
        // What stands is a picture that begins there at the latest.
        guard rate > .zero else { return (media, media + Rational(ReadLimits.span)) }
        return (media + (max(start, time) - start) * rate, media + duration * rate)
    }

    /// When what the media has at a time is presented; no earlier than the edit begins.
    package func presentation(of time: Rational) -> Rational {
        guard let media, rate > .zero else { return start }
        return max(start, start + (time - media) / rate)
    }
}
