import Diagnostics
import Foundation

/// The three letters of ISO 639-2/T that films have for a BCP 47 tag such as `de`, `pt-BR` or `cmn`; nil where it is no
/// such tag, and for two letters that stand for no language. Three letters that ISO 639-2 does not list stay as they
/// are.
package func languageCode(_ tag: String) -> String? {
    let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    let fits = parts.allSatisfy { part in
        (1...8).contains(part.utf8.count)
            && part.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0 | 0x20) }
    }
    guard fits, tag.utf8.count <= 64, let primary = parts.first?.lowercased(),
        primary.utf8.allSatisfy({ (97...122).contains($0) })
    else { return nil }
    switch primary.utf8.count {
    case 2: return Locale.LanguageCode(primary).identifier(.alpha3)
    case 3: return terminologicalCodes[primary] ?? primary
    default: return nil
    }
}

/// The terminological codes of the languages for which ISO 639-2 has two, by the bibliographic ones that stand in many
/// files.
private let terminologicalCodes = [
    "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld", "fre": "fra",
    "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas",
    "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
]
