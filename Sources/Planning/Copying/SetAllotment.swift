import MediaFacts
import Outputs

/// The sources of one header that a film copies from.
struct SetFamily {
    var header: [UInt8]
    /// The numbers of the header's sets, rising.
    var numbers: [Int]
    /// The reason why the sets cannot have other numbers, as a clause about them; nil where they can.
    var fault: String?
    /// The number of frames that can be copied.
    var frameCount = 0

    /// The families of spans, in the film's order.
    static func list(of spans: [CopyFinder.Span], _ tracks: CodedTracks) -> [SetFamily] {
        var families: [SetFamily] = []
        // A header may be long, and a film may have many spans of few sources.
        var byHeader: [[UInt8]: Int] = [:]
        var bySource: [CodedTracks.Place: Int] = [:]
        for span in spans {
            guard let track = tracks.byPlace[span.place] else { continue }
            let family = bySource[span.place] ?? byHeader[track.header] ?? families.count
            if family == families.count {
                byHeader[track.header] = family
                families.append(SetFamily(header: track.header, numbers: track.setNumbers))
            }
            bySource[span.place] = family
            families[family].fault = families[family].fault ?? track.numberingFault
            families[family].frameCount += span.frames.count
        }
        return families
    }
}

/// The numbers of parameter sets in a film with copies: no two families have one, nor has the encoder one of theirs.
///
/// It follows from the families alone. Those that can keep their numbers do; of families that cannot have others, and
/// then of those with the most copied frames, the first. The rest get the lowest that are free.
struct SetAllotment {
    /// The new numbers by the old ones, by the headers of families that get others.
    private(set) var numbers: [[UInt8]: [Int: Int]] = [:]
    /// The reasons why families are not copied, by their headers; clauses about a source.
    private(set) var refusals: [[UInt8]: String] = [:]
    /// A number for the encoder's own sets; nil where there is none. Its usual one, 0, is the last that is tried.
    private(set) var own: Int?

    /// The numbers that sets of all kinds of a codec can have.
    static func numbers(of codec: PictureCodec) -> Range<Int> {
        switch codec {
        case .h264: 0..<32
        case .hevc: 0..<16
        default: 0..<0
        }
    }

    /// The most families: the header of H.264 counts 31 sequences at most, each family has one, and so has the encoder.
    static let mostFamilies = 30

    init(_ families: [SetFamily], _ terms: CopyTerms) {
        guard !terms.needsNoSets else { return }
        func rank(_ family: SetFamily) -> (Int, Int) { (family.fault == nil ? 1 : 0, -family.frameCount) }
        let ranked = families.enumerated().sorted {
            let (one, other) = (rank($0.element), rank($1.element))
            return one == other ? $0.offset < $1.offset : one < other
        }.map(\.element)
        guard terms.isNumbered else {
            for family in ranked.dropFirst() { refusals[family.header] = "its header is not another source's" }
            return
        }
        var taken: Set<Int> = []
        var others: [SetFamily] = []
        for family in ranked.dropFirst(Self.mostFamilies) {
            refusals[family.header] = "the film's header holds no more parameter sets"
        }
        for family in ranked.prefix(Self.mostFamilies) {
            if taken.isDisjoint(with: family.numbers) {
                taken.formUnion(family.numbers)
            } else {
                others.append(family)
            }
        }
        let numbers = Self.numbers(of: terms.video.codec)
        own = numbers.dropFirst().first { !taken.contains($0) } ?? (taken.contains(0) ? nil : 0)
        if let own { taken.insert(own) }
        var free = numbers.filter { !taken.contains($0) }[...]
        for family in others {
            if let fault = family.fault {
                refusals[family.header] = "its parameter sets have the numbers of another source's, and \(fault)"
            } else if free.count < family.numbers.count {
                refusals[family.header] = "no numbers are left for its parameter sets"
            } else {
                self.numbers[family.header] = Dictionary(zip(family.numbers, free)) { first, _ in first }
                free = free.dropFirst(family.numbers.count)
            }
        }
    }
}
