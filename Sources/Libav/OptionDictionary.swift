internal import CFFmpeg
internal import Diagnostics

/// Owns one AVDictionary of options. An option that is left in it after an open is one that nobody knew.
@safe
package final class OptionDictionary {
    package var pointer: OpaquePointer?

    package init(_ options: [(String, String)]) throws {
        for (key, value) in options {
            try unsafe check(av_dict_set(&pointer, key, value, 0), "av_dict_set", subject: key, as: .internalFault)
        }
    }

    deinit { unsafe av_dict_free(&pointer) }

    /// Throws `.internalFault` where an option is left: a misspelt option would otherwise be dropped in silence.
    package func checkAllUsed(by subject: String) throws {
        guard let left = unsafe av_dict_get(pointer, "", nil, AV_DICT_IGNORE_SUFFIX) else { return }
        throw SplitreelError(
            .internalFault, operation: "setting options", subject: subject,
            reason: unsafe "this build does not know the option \(String(cString: left.pointee.key))")
    }
}

/// A copy of the entry of that name; nil where the dictionary has none.
package func entry(_ key: String, of dictionary: OpaquePointer?) -> String? {
    guard let entry = unsafe av_dict_get(dictionary, key, nil, 0) else { return nil }
    return unsafe String(cString: entry.pointee.value)
}
