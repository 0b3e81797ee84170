/// The content of a packet of compressed video, as far as copying needs it: one access unit, or one field of it.
package struct CodedPicture: Hashable, Sendable {
    /// The part that a picture plays in the order of decoding.
    package enum Kind: Hashable, Sendable {
        /// Nothing from here on refers to what is before.
        case idr
        /// HEVC's BLA: as a CRA, and the stream itself says that something is missing in front.
        case brokenLink
        /// HEVC's CRA: decoding may begin here; its skipped leading pictures are lost.
        case cleanRandomAccess
        /// A picture that is whole where decoding begins at it, though it is no IDR: a recovery point that counts no
        /// frame, or a picture of intra slices alone behind one that does not say so.
        case recovery
        /// A leading picture that can be decoded from its IRAP picture on: HEVC's RADL.
        case decodableLeading
        /// A leading picture that refers to what is before its IRAP picture: HEVC's RASL.
        case skippedLeading
        /// Any other.
        case inner
    }

    /// How the lines of a frame come.
    package enum Structure: Hashable, Sendable {
        case frame
        case topField
        case bottomField
        /// Two fields in one packet.
        case fieldPair
    }

    package var kind = Kind.inner
    package var structure = Structure.frame
    /// Whether another picture may refer to it.
    package var isReference = true
    /// Whether it forgets all pictures before though it is no IDR: H.264's operation 5.
    package var forgetsAll = false
    /// Whether all slices are intra.
    package var isIntra = true
    package var recovery: RecoveryPoint?
    /// HEVC's sub-layer of time; 0 for H.264.
    package var temporalID = 0
    /// The low bits of its place in the order of output, as its first slice says it.
    package var orderLSB = 0
    /// `frame_num` and `idr_pic_id` of H.264.
    package var frameNumber: Int?
    package var idrID: Int?
    /// The number of slices or slice segments.
    package var slices = 0
    /// Ids of the PPS and SPS that its slices refer to.
    package var ppsIDs: Set<Int> = []
    package var spsIDs: Set<Int> = []
    /// The parameter sets in the packet, in order. They hold from its slices on.
    package var parameterSets: [ParameterSet] = []
    package var hasDelimiter = false
    package var hasCaptions = false
    package var hasBufferingPeriod = false
    package var hasTiming = false
    /// Whether the packet ends a sequence, so that what follows is a start.
    package var endsSequence = false

    /// An inner frame that others refer to.
    package init() {}

    /// Whether a copy may begin here with all pictures that follow it in the order of decoding.
    package var mayStart: Bool { kind == .idr || kind == .brokenLink }

    /// Whether decoding may begin here if the pictures that are shown before it are left out. A copy that begins at
    /// HEVC's CRA makes a BLA of it; none begins at a recovery point of H.264 (`CopyPoints`).
    package var mayStartWithoutLeading: Bool { mayStart || kind == .cleanRandomAccess || kind == .recovery }
}
