import Pictures

/// A property of tracks by which a program chooses among them, whatever their types and codecs are.
public enum MediaCharacteristic: String, Codable, Sendable, CaseIterable {
    /// It has pictures; a cover picture counts.
    case visual
    case audible
    /// It has text to be read: subtitles, captions, other text.
    case legible
    /// Its pictures have an alpha channel.
    case containsAlpha
    /// Its pictures are PQ or HLG.
    case containsHDR
    /// Its sound has more than two channels.
    case multichannel
    case interlaced
    case variableFrameRate
    /// It is a picture that stands for the film, and no part of it.
    case coverPicture
    /// The file marks it as the one to play where nobody chooses.
    case isDefault
    /// It can be decoded here.
    case decodable
}

extension TrackFacts {
    /// Whether the track has a characteristic, as far as its file tells.
    public func has(_ characteristic: MediaCharacteristic) -> Bool {
        switch characteristic {
        case .visual: type == .video
        case .audible: type == .audio
        case .legible: [.text, .closedCaption, .subtitle].contains(type)
        case .containsAlpha: video?.hasAlpha == true
        case .containsHDR: [.pq, .hlg].contains(video?.colour?.transfer)
        case .multichannel: (audio?.channels ?? 0) > 2
        case .interlaced: video?.isInterlaced == true
        case .variableFrameRate: video?.isVariableFrameRate == true
        case .coverPicture: isCoverPicture
        case .isDefault: isDefault == true
        case .decodable: fault == nil
        }
    }
}
