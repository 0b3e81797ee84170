internal import CFFmpeg
internal import Diagnostics

/// Owns one AVDictionary of options. What is left in it after an open is an option that nobody knew.
final class OptionDictionary {
    var pointer: OpaquePointer?

    init(_ options: [(String, String)]) throws {
        for (key, value) in options {
            try check(av_dict_set(&pointer, key, value, 0), "av_dict_set", subject: key, as: .internalFault)
        }
    }

    deinit { av_dict_free(&pointer) }

    /// A misspelt option would otherwise be dropped in silence.
    func checkAllUsed(by subject: String) throws {
        guard let left = av_dict_get(pointer, "", nil, AV_DICT_IGNORE_SUFFIX) else { return }
        throw SplitreelError(
            .internalFault, operation: "setting options", subject: subject,
            reason: "this build does not know the option \(String(cString: left.pointee.key))")
    }
}
