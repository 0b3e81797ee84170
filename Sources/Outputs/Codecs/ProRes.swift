extension PictureCodec {
    /// Apple's ProRes, by libavcodec's encoder of that name, whose profiles are its presets.
    public static let prores = PictureCodec("prores", encoder: "prores_ks") {
        $0.presetMeant = profileMeant
        $0.places = [.mxf: 2, .mov: 3, .mkv: 5]
        $0.formats = [.yuv422p10, .yuv444p10, .yuva444p10]
        $0.presets.known = ["proxy", "lt", "standard", "hq", "4444", "4444xq"]
        $0.presets.fallback = "hq"
        let whole: [WorkingFormat] = [.yuv444p10, .yuva444p10]
        $0.presets.formats = ([.yuv422p10], ["4444": whole, "4444xq": whole])
        $0.presets.ofWholeColour = "4444"
        // Apple's table: Mb/s of 1080p at 29.97.
        $0.usualBits = .of { settings in
            let rates = ["proxy": 45.0, "lt": 102, "standard": 147, "hq": 220, "4444": 330, "4444xq": 500]
            return (rates[settings.preset] ?? 220) * 1_000_000 / (1920 * 1080 * 29.97)
        }
        $0.isIntraOnly = true
        $0.options = { settings, _ in [("profile", settings.preset), ("vendor", "apl0")] }
        $0.isForEditing = true
        $0.segmentTag = .ofEncoder
        $0.stream = { settings, container in
            let code = StreamFacts.Tag.code(codes[settings.profileOfProRes])
            return StreamFacts(
                tag: container == .mov || container == .mkv ? code : .ofMuxer, profile: settings.profileOfProRes,
                codedBits: settings.format.hasAlpha ? 32 : 24)
        }
        // libavcodec reads every ProRes 4444 as 12-bit.
        $0.decodedFormat = { settings in
            guard settings.format != .yuv422p10 else { return settings.format.rawValue }
            return settings.format.hasAlpha ? "yuva444p12le" : "yuv444p12le"
        }
    }

    /// The four-character codes of the profiles, by their numbers.
    private static let codes = ["apco", "apcs", "apcn", "apch", "ap4h", "ap4x"]

    /// The profile of a name such as `prores422hq`, `prores_ks` or `ap4h`; nil for other names.
    @Sendable private static func profileMeant(_ word: String) -> String? {
        if let number = codes.firstIndex(of: word) { return prores.presets.known[number] }
        guard let start = word.firstRange(of: "prores") else { return nil }
        let rest = word[start.upperBound...].filter { $0.isLetter || $0.isNumber }
        let profiles = ["4444xq", "4444", "proxy", "lt", "hq"]
        return profiles.first { rest.hasSuffix($0) } ?? (rest.hasPrefix("422") ? "standard" : "hq")
    }
}

extension VideoSettings {
    /// libavcodec's number of the profile; HQ's for one that is not known.
    fileprivate var profileOfProRes: Int { codec.presets.known.firstIndex(of: preset) ?? 3 }
}
