internal import Outputs

extension FilmTags {
    /// The tags that the container has room for, in one order, so that equal films have equal bytes.
    func sortedItems(in container: Container) -> [(key: String, value: String)] {
        FilmTagRoom(self, in: container).items.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
            ($0.key, $0.value)
        }
    }
}

extension FilmTags.Track {
    var flags: Int32 { (dispositions ?? []).reduce(0) { $0 | $1.flag } }

    /// The track's tags in the container; its name only where `isNamed`, which says whether the film has room for it.
    func items(in container: Container, isNamed: Bool = true) -> [(key: String, value: String)] {
        var items: [(key: String, value: String)] = []
        if let language {
            items.append(("language", container == .mov ? Self.namesInQuickTime[language] ?? language : language))
        }
        if let name, isNamed {
            items.append(("title", name))
            // Players of MP4 and QuickTime look for the name here.
            if container.isISO { items.append(("handler_name", name)) }
        }
        return items
    }

    /// The older names that QuickTime's list of languages has for these.
    private static let namesInQuickTime = [
        "deu": "ger", "nld": "dut", "swe": "sve", "ell": "gre", "isl": "ice", "zho": "chi", "sqi": "alb", "hye": "arm",
        "kat": "geo", "bod": "tib", "mya": "bur", "msa": "may",
    ]
}
