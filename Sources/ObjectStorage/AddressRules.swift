/// The rule of which addresses of IP may be connected to.
package enum AddressRules {
    /// The reason why an address is not one of the open internet; nil for one that is. It takes the 4 or 16 bytes of
    /// an address of IPv4 or IPv6.
    package static func refusal(_ bytes: [UInt8]) -> String? {
        switch bytes.count {
        case 4: refusal4(bytes)
        case 16: refusal6(bytes)
        default: "it is none of IPv4 or IPv6"
        }
    }

    /// The address as text.
    static func text(_ bytes: [UInt8]) -> String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: bytes.count - 1, by: 2).map {
            String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
        }.joined(separator: ":")
    }

    private static func refusal4(_ bytes: [UInt8]) -> String? {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _): "it means this network"
        case (10, _, _), (172, 16...31, _), (192, 168, _): "it is of a private network"
        case (100, 64...127, _): "it is of a provider's private network"
        case (127, _, _): "it is this machine's own"
        case (169, 254, _): "it is link-local"
        case (192, 0, 0), (192, 0, 2), (198, 51, 100), (203, 0, 113), (192, 88, 99): "it is reserved"
        case (198, 18...19, _): "it is reserved for measurements"
        case (224...239, _, _): "it is of a group"
        case (240...255, _, _): "it is reserved"
        default: nil
        }
    }

    private static func refusal6(_ bytes: [UInt8]) -> String? {
        let head = bytes.prefix(12)
        let isZero = { (part: ArraySlice<UInt8>) in part.allSatisfy { $0 == 0 } }
        // IPv4 within IPv6: mapped, compatible (with :: and ::1), translated by NAT64, and tunnelled addresses.
        if isZero(bytes.prefix(10)), bytes[10] == 0xFF, bytes[11] == 0xFF { return refusal4(Array(bytes.suffix(4))) }
        if isZero(bytes.prefix(15)), bytes[15] <= 1 { return "it is this machine's own" }
        if isZero(head) { return "it is an old form of one of IPv4" }
        if isZero(bytes.prefix(8)), bytes[8] == 0xFF, bytes[9] == 0xFF { return refusal4(Array(bytes.suffix(4))) }
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]) {
            return isZero(bytes[4..<12]) ? refusal4(Array(bytes.suffix(4))) : "it is of a private translation"
        }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return refusal4(Array(bytes[2..<6])) }
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0x80...0xBF): return "it is link-local"
        case (0xFE, 0xC0...0xFF), (0xFC...0xFD, _): return "it is of a private network"
        case (0xFF, _): return "it is of a group"
        case (0x20, 0x01) where bytes[2] < 2: return "it is reserved"
        case (0x20, 0x01) where bytes[2] == 0x0D && bytes[3] == 0xB8: return "it is reserved"
        default: return (0x20...0x3F).contains(bytes[0]) ? nil : "it is reserved"
        }
    }
}
