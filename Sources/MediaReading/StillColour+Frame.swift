internal import CFFmpeg
internal import Libav
internal import Pictures
internal import SplitreelFiles

extension Frame {
    /// Tags a still with its own colours: by its code points (PNG's cICP), or else its ICC profile, or else as libav
    /// has it. `overrides` rule over all of them. Returns the profile where no tags can say it.
    ///
    /// A profile that cannot be used counts as sRGB's; `fault` then says why.
    func identifyStill(
        _ source: any MediaSource, _ overrides: ColourOverrides? = nil
    ) -> (profile: ColourProfile?, isTagged: Bool, fault: String?) {
        var found: (profile: ColourProfile?, isTagged: Bool, fault: String?) = (nil, false, nil)
        if overrides?.primaries == nil, overrides?.transfer == nil {
            if let coded = CodePoints(png: source) {
                update {
                    $0.color_primaries = AVColorPrimaries(UInt32(coded.primaries))
                    $0.color_trc = AVColorTransferCharacteristic(UInt32(coded.transfer))
                }
                found.isTagged = true
            } else if let colour = colourOfProfile {
                found.isTagged = true
                switch colour {
                case .named(let primaries): tag(ColourOverrides(primaries: primaries, transfer: .srgb))
                case .profile(let profile): found = (profile, false, nil)
                case .unusable(let reason):
                    tag(ColourOverrides(primaries: .bt709, transfer: .srgb))
                    found.fault = reason
                }
            }
        }
        if let overrides { tag(overrides) }
        return found
    }

    private var colourOfProfile: StillColour? {
        guard let side = unsafe av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE)?.pointee, side.size > 0
        else {
            return nil
        }
        guard side.size <= ICCProfile.mostBytes else { return .unusable("it is longer than 4 MiB") }
        return unsafe ICCProfile.colour(of: Array(UnsafeBufferPointer(start: side.data, count: side.size)))
    }
}

extension StillColour {
    /// The colours of the ICC profile that a film's stream carries, such as `colr` of mov. nil without a profile, and
    /// where the stream names primaries or transfer itself.
    init?(ofFilm stream: UnsafeMutablePointer<AVStream>) {
        guard let parameters = unsafe stream.pointee.codecpar?.pointee,
            parameters.color_primaries == AVCOL_PRI_UNSPECIFIED, parameters.color_trc == AVCOL_TRC_UNSPECIFIED
        else { return nil }
        var size = 0
        guard let data = unsafe av_stream_get_side_data(stream, AV_PKT_DATA_ICC_PROFILE, &size), size > 0 else {
            return nil
        }
        guard size <= ICCProfile.mostBytes else {
            self = .unusable("it is longer than 4 MiB")
            return
        }
        self = unsafe ICCProfile.colour(of: Array(UnsafeBufferPointer(start: data, count: size)))
    }

    /// The colours that stand in for the tags that a film lacks; nil where no tags can say them.
    var overrides: ColourOverrides? {
        guard case .named(let primaries) = self else { return nil }
        return ColourOverrides(primaries: primaries, transfer: .srgb)
    }
}

extension Frame {
    /// Whether the frame's codec names neither primaries nor transfer.
    var namesNoColours: Bool {
        fields.color_primaries == AVCOL_PRI_UNSPECIFIED && fields.color_trc == AVCOL_TRC_UNSPECIFIED
    }
}

/// Colours by the numbers of ITU-T H.273.
package struct CodePoints: Equatable {
    package var primaries: UInt8
    package var transfer: UInt8

    /// The code points of a PNG's chunk cICP, which stands before the picture's data and rules over its other words on
    /// colour; nil without one.
    init?(png source: any MediaSource) {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
        guard source.head(8) == signature else { return nil }
        self.init(png: source.head(Self.mostBytes))
    }

    private static let mostBytes = 1 << 20

    package init?(png bytes: [UInt8]) {
        var place = 8
        while place + 16 <= bytes.count {
            let length = bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            let name = bytes[(place + 4)..<(place + 8)]
            if name.elementsEqual("IDAT".utf8) { return nil }
            if name.elementsEqual("cICP".utf8) {
                // R'G'B' has no matrix. 2 stands for what nobody knows.
                let values = Array(bytes[(place + 8)..<(place + 12)])
                guard length == 4, values[2] == 0, values[0] != 2, values[1] != 2 else { return nil }
                (primaries, transfer) = (values[0], values[1])
                return
            }
            place += 12 + length
        }
        return nil
    }
}
