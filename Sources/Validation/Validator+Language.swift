import Diagnostics
import Foundation
import MediaFacts

extension Validator {
    mutating func checkLanguage(_ tag: String?, _ path: String) {
        guard let tag, languageCode(tag) == nil else { return }
        error(
            .valueNotAllowed, path, "`\(tag.prefix(60))` is not the tag of a language",
            hint: "write a BCP 47 tag such as \"de\", \"pt-BR\" or \"cmn\"; \"und\" where it is not known")
    }
}
