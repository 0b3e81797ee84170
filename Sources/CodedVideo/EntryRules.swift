/// The rules by which groups of pictures of a track can be copied: where a decoder is begun anew, and by which sets.
///
/// Made of the header that a file has for the track, and told all packets in decoding order. A copy takes whole groups
/// of pictures that go by the header's sets.
package struct EntryRules: Sendable {
    /// The use of a packet.
    package enum Entry: Hashable, Sendable {
        /// A decoder is begun anew with it.
        case start
        /// Its picture, or one behind it, may refer to what is before it.
        case middle
        /// Nothing of its track can be copied, for the reason, which is a clause about the track.
        case unfit(String)
    }

    /// A set's place in a decoder: one takes the place of another.
    private struct Place: Hashable {
        var type: Int
        var id: Int
    }

    /// The reason why nothing of the track can be copied, as a clause about it; nil where something can.
    package private(set) var fault: String?
    /// The numbers of the header's sets, of all kinds together, rising.
    package private(set) var setNumbers: [Int] = []
    /// The reason why the sets cannot have other numbers, as a clause about them; nil where they can. It is known when
    /// all packets were told.
    package private(set) var numberingFault: String?
    /// Whether the header's sets name primaries, a transfer or a matrix.
    package private(set) var namesColours = false
    private let codec: PacketForm.Codec
    /// The form of the packets; nil where the header cannot be read, which is a fault.
    private let form: PacketForm?
    private var header: [[UInt8]: Place] = [:]
    /// The header's sets, by which a slice's header is read; nil where they cannot be read, which is a fault.
    private var sets: HeaderSets?
    private var counter: PictureOrderCounter?
    /// The places that hold other sets than the header's.
    private var others: Set<Place> = []
    /// Tries other numbers on what goes by the header's sets.
    private var trial: SetRewriter?

    /// Whether the last packet goes by the header's sets: a decoder that was told all packets has these, and the packet
    /// has no others, even if it takes them back.
    package private(set) var isByHeader = true

    /// The place of the last packet's picture in the order in which pictures are shown, as the picture itself says it.
    /// nil where that cannot be read, for a packet without a picture, and for a picture that is not shown.
    package private(set) var order: PictureOrder?

    /// Reads a header: an `avcC`, an `hvcC`, or units behind start codes.
    package init(_ codec: PacketForm.Codec, header: [UInt8]) {
        self.codec = codec
        form = try? PacketForm(codec, header: header)
        do {
            for unit in form?.sets ?? [] {
                if let place = try place(unit) { self.header[unit] = place }
            }
            if let form {
                let sets = try HeaderSets(form)
                (self.sets, counter) = (sets, PictureOrderCounter(sets))
            }
            setNumbers = Set(self.header.values.map(\.id)).sorted()
            fault = form == nil ? "its header cannot be read" : try sequenceFault()
            if fault == nil, let form { takeTrial(of: form) }
        } catch {
            fault = "its header cannot be read: \(error)"
        }
    }

    private mutating func takeTrial(of form: PacketForm) {
        let most = codec.mostSetNumber
        guard setNumbers.count <= most else {
            numberingFault = "they have \(setNumbers.count) numbers"
            return
        }
        // The highest numbers are the longest.
        let numbers = setNumbers.enumerated().map { ($1, most - $0) }
        do throws(BitstreamFault) {
            let rewriter = try SetRewriter(form, numbers: Dictionary(uniqueKeysWithValues: numbers))
            for set in form.sets { try rewriter.check(set[...]) }
            trial = rewriter
        } catch {
            numberingFault = "they cannot be rewritten: \(error)"
        }
    }

    /// Tries other numbers on a packet's units. The header of its first slice was read already, where it can be.
    private mutating func tryNumbers(_ units: [ArraySlice<UInt8>], _ first: (place: Int, header: SliceHeader?)?) {
        guard let trial, isByHeader, others.isEmpty else { return }
        do throws(BitstreamFault) {
            for unit in units {
                try trial.check(unit, header: unit.startIndex == first?.place ? first?.header : nil)
            }
        } catch {
            numberingFault = "what names them cannot be rewritten: \(error)"
            self.trial = nil
        }
    }

    private mutating func sequenceFault() throws(BitstreamFault) -> String? {
        var (count, mayHaveFields, areFields) = (0, false, false)
        for unit in header.keys {
            switch codec {
            case .h264:
                guard H264NAL(unit)?.kind == .sps else { continue }
                let sequence = try H264SPS(unit: unit)
                mayHaveFields = mayHaveFields || !sequence.hasFramesOnly
                namesColours = namesColours || sequence.vui.signal.namesColours
            case .hevc:
                guard HEVCNAL(unit)?.kind == .sps else { continue }
                let sequence = try HEVCSPS(unit: unit)
                areFields = areFields || sequence.vui.hasFields
                namesColours = namesColours || sequence.vui.signal.namesColours
            }
            count += 1
        }
        if mayHaveFields { return "its frames may be of two fields" }
        if areFields { return "each of its pictures is a field" }
        return count == 1 ? nil : "its header has \(count) sequences"
    }

    /// The place of a set in a decoder; nil for other units.
    private func place(_ unit: some Collection<UInt8>) throws(BitstreamFault) -> Place? {
        switch codec {
        case .h264:
            guard let type = H264NAL(unit)?.type, [7, 8].contains(type) else { return nil }
            var sets = H264ParameterSets()
            return try sets.take(unit).map { Place(type: type, id: $0.id) }
        case .hevc:
            guard let type = HEVCNAL(unit)?.type, (32...34).contains(type) else { return nil }
            var sets = HEVCParameterSets()
            return try sets.take(unit).map { Place(type: type, id: $0.id) }
        }
    }

    /// Takes the track's next packet in decoding order.
    package mutating func take(_ packet: [UInt8]) -> Entry {
        do {
            guard let list = try form?.units(packet[...]) else { throw BitstreamFault.ended }
            var first: (place: Int, header: SliceHeader?)?
            var isStart = false
            (isByHeader, order) = (true, nil)
            defer { isByHeader = isByHeader && others.isEmpty }
            for unit in list {
                let (isSet, isSlice, isForeign) = try kind(of: unit)
                if isForeign { return .unfit("it has further layers, or an alpha channel of its own") }
                if isSet { try takeSet(Array(unit)) }
                if isSlice, first == nil {
                    let header = try? sets?.slice(unit)
                    first = (unit.startIndex, header)
                    isStart = beginsAnew(unit, header)
                    order = header.flatMap { counter?.next($0) }
                }
                if endsSequence(unit) { counter?.endSequence() }
                if hasCaptions(unit) { return .unfit("it has captions in its pictures") }
            }
            tryNumbers(list, first)
            return isStart ? .start : .middle
        } catch {
            return .unfit("a packet of it cannot be read: \(error)")
        }
    }

    private mutating func takeSet(_ unit: [UInt8]) throws(BitstreamFault) {
        if let place = header[unit] {
            others.remove(place)
        } else if let place = try place(unit) {
            others.insert(place)
            isByHeader = false
        }
    }

    /// The use of a unit. Foreign ones belong to a picture in a way that the film's header cannot tell.
    private func kind(
        of unit: ArraySlice<UInt8>
    ) throws(BitstreamFault) -> (isSet: Bool, isSlice: Bool, isForeign: Bool) {
        switch codec {
        case .h264:
            guard let nal = H264NAL(unit) else { throw .ended }
            return (nal.kind == .sps || nal.kind == .pps, nal.isSlice, nal.isForeign || nal.kind == .spsExtension)
        case .hevc:
            guard let nal = HEVCNAL(unit) else { throw .ended }
            // Types from 48 on are anybody's, and tell nothing of layers.
            return ([.vps, .sps, .pps].contains(nal.kind), nal.isSlice, nal.layer != 0 && nal.type < 48)
        }
    }

    /// Whether a slice is one of an IDR picture that lets all before it be shown. One with
    /// `no_output_of_prior_pics_flag` would take the last frames of what the film has before a copy.
    private func beginsAnew(_ slice: ArraySlice<UInt8>, _ header: SliceHeader?) -> Bool {
        switch codec {
        case .h264:
            guard H264NAL(slice)?.kind == .idrSlice, case .h264(let read) = header,
                case .idr(_, let dropsPrior) = read.marking
            else { return false }
            return !dropsPrior
        case .hevc:
            // The flag is the second bit behind the unit's header of two bytes.
            return HEVCNAL(slice)?.isIDR == true && slice.dropFirst(2).first.map { $0 & 0x40 == 0 } == true
        }
    }

    private func endsSequence(_ unit: ArraySlice<UInt8>) -> Bool {
        codec == .hevc && [.endOfSequence, .endOfStream].contains(HEVCNAL(unit)?.kind)
    }

    private func hasCaptions(_ unit: ArraySlice<UInt8>) -> Bool {
        switch codec {
        case .h264: H264NAL(unit)?.kind == .sei && hasCaptions(unit, headerLength: 1)
        case .hevc: HEVCNAL(unit)?.kind == .prefixSEI && hasCaptions(unit, headerLength: 2)
        }
    }

    private func hasCaptions(_ unit: ArraySlice<UInt8>, headerLength: Int) -> Bool {
        (try? SEIMessage.list(of: unit, headerLength: headerLength))?.contains(where: \.isCaptions) ?? false
    }
}
