package import Foundation

/// JSON in the one byte form of a value that writes all of its fields: keys sorted, no white space, slashes not
/// escaped. Sums of documents are of these bytes. Throws what the value's own encoding throws.
package func canonicalJSON(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
}
