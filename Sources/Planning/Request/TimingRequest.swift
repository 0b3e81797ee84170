/// The times of an output: its range, its rate, its cover.
///
/// They are texts as people write them: a text that is no time or no rate is told by planning, with the output's other
/// faults and in their order. A file's times are read with the file, and come here in the form of texts.
package struct TimingRequest: Hashable, Codable, Sendable {
    /// The range's start in composition time; nil for the composition's start.
    package var rangeStart: String?
    /// The range's duration; nil for all that follows its start.
    package var rangeDuration: String?
    /// The frame rate in frames a second, as `30` or `30000/1001`; only the frame grid changes.
    package var frameRate: String?
    /// The composition time of the frame that is the film's cover.
    package var posterTime: String?
    /// The number of frames for which that frame stands in front of the film; nil for none.
    package var coverFrames: Int?
    /// The time from one segment of a stream to the next, each of which begins with a key frame, such as `6s`.
    package var segmentInterval: String?

    package init() {}

    /// The request with what `other` says where this one says nothing; a range is taken as a whole.
    package func taking(_ other: TimingRequest) -> TimingRequest {
        var request = self
        if rangeStart == nil, let start = other.rangeStart {
            request.rangeStart = start
            request.rangeDuration = other.rangeDuration
        }
        request.frameRate = frameRate ?? other.frameRate
        request.posterTime = posterTime ?? other.posterTime
        request.coverFrames = coverFrames ?? other.coverFrames
        request.segmentInterval = segmentInterval ?? other.segmentInterval
        return request
    }
}
