package import MediaTime

/// The facts of a video track's packets that decide what of it can be copied into a film.
///
/// Frames are counted by presentation time from 0, packets in decoding order from 0, as the file's index has them.
package struct CodedTrack: Hashable, Codable, Sendable {
    /// Packets, one after the other, that need none before them and that none after them needs: whole groups of
    /// pictures. Their frames are one after the other too.
    package struct Group: Hashable, Codable, Sendable {
        package var firstPacket: Int
        package var firstFrame: Int
        /// The number of the packets, and of the frames.
        package var count: Int

        package init(firstPacket: Int, firstFrame: Int, count: Int) {
            (self.firstPacket, self.firstFrame, self.count) = (firstPacket, firstFrame, count)
        }
    }

    /// A group of pictures that would be copied, but for the times that the file gives them.
    package struct UnfitGroup: Hashable, Codable, Sendable {
        /// The fault of a frame's time.
        package enum Fault: String, Hashable, Codable, Sendable {
            /// Its picture says that it is shown before the one that is in front of it by the file's times.
            case earlier
            /// It has the time of the frame in front of it.
            case sameTime
            /// Its picture does not say where it is shown, or is not shown at all.
            case untold

            /// The fault of a frame, as a clause about its track.
            package func clause(_ frame: Int) -> String {
                switch self {
                case .earlier:
                    "its file shows frame \(frame - 1) before frame \(frame), its pictures say it the other way round"
                case .sameTime: "its file gives frames \(frame - 1) and \(frame) one time"
                case .untold: "the picture of its frame \(frame) does not say where it is shown"
                }
            }
        }

        package var firstFrame: Int
        /// The number of the frames.
        package var count: Int
        /// The first frame at fault: one of the group's, or the one behind it.
        package var frame: Int
        package var fault: Fault

        package init(_ group: Group, frame: Int, _ fault: Fault) {
            (firstFrame, count, self.frame, self.fault) = (group.firstFrame, group.count, frame, fault)
        }

        /// The reason why the group is not copied, as a clause about its track.
        package var reason: String { fault.clause(frame) }
    }

    /// The asset times from which the frames are shown.
    package var times: FrameTimes
    /// Whether each packet is a group of its own, and frame k is packet k; `groups` is empty then.
    package var isIntra: Bool
    /// The groups that are whole, in the order of their frames.
    package var groups: [Group]
    /// The groups that are whole, and are none of `groups` for their frames' times; in the order of their frames.
    package var unfitGroups: [UnfitGroup]
    /// The codec's global header as the file has it; empty where it has none.
    package var header: [UInt8]
    /// The numbers of the parameter sets in the header, of all kinds together, rising.
    package var setNumbers: [Int]
    /// The reason why the sets cannot have other numbers, as a clause about them; nil where they can.
    package var numberingFault: String?
    /// The most frames by which a packet comes before its frame's place in time.
    package var reorderDepth: Int
    /// Whether the header names colours that decoders go by, whatever the file around it says. False for codecs of
    /// which nobody has looked.
    package var namesColours: Bool
    /// libavcodec's number of the profile; below 0 where it is not known.
    package var profile: Int
    /// The reason why nothing of the track can be copied, as a clause about it; nil where something can.
    package var fault: String?

    package init(times: FrameTimes, isIntra: Bool, header: [UInt8], profile: Int) {
        (self.times, self.isIntra, self.header, self.profile) = (times, isIntra, header, profile)
        (groups, unfitGroups, setNumbers, reorderDepth, namesColours) = ([], [], [], 0, false)
    }

    /// The groups that lie in a range of frames, whole ones alone, joined where they follow one another.
    package func groups(in frames: Range<Int>) -> [Group] {
        guard !frames.isEmpty else { return [] }
        if isIntra {
            return [Group(firstPacket: frames.lowerBound, firstFrame: frames.lowerBound, count: frames.count)]
        }
        var found: [Group] = []
        let first = groups.partitionPoint { $0.firstFrame < frames.lowerBound }
        for group in groups[first...] {
            guard group.firstFrame + group.count <= frames.upperBound else { break }
            if let last = found.last, last.firstPacket + last.count == group.firstPacket,
                last.firstFrame + last.count == group.firstFrame
            {
                found[found.count - 1].count += group.count
            } else {
                found.append(group)
            }
        }
        return found
    }

    /// The first unfit group that lies in a range of frames, and shares some with `part` of it; nil for none. A group
    /// in which two frames have one time need not lie in it.
    package func unfitGroup(in frames: Range<Int>, sharing part: Range<Int>) -> UnfitGroup? {
        let first = unfitGroups.partitionPoint { $0.firstFrame + $0.count <= part.lowerBound }
        return unfitGroups[first...].prefix { $0.firstFrame < part.upperBound }.first {
            // Frames of one time are never shown one by one: no range has such a group as a whole.
            $0.fault == .sameTime
                || $0.firstFrame >= frames.lowerBound && $0.firstFrame + $0.count <= frames.upperBound
        }
    }
}
