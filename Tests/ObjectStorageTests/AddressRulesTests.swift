import Glibc
import ObjectStorage
import Testing

@Suite("Addresses that are connected to")
struct AddressRulesTests {
    @Test(
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
            "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1",
            "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "::", "::1",
            "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1", "2001::1", "2001:db8::1", "fe80::1", "febf::1", "fec0::1",
            "fc00::1", "fd12:3456::1", "ff02::1", "100::1", "4000::1", "fd00:ec2::254",
        ])
    func privateOnesAreRefused(text: String) throws {
        #expect(AddressRules.refusal(try #require(bytes(text))) != nil)
    }

    @Test(
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.1", "52.216.1.1", "100.63.255.255", "100.128.0.1", "126.255.255.255",
            "128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.1", "192.167.255.255", "192.169.0.1",
            "223.255.255.255", "2600:1f18::1", "2a02:26f0::1", "2001:4860:4860::8888", "::ffff:1.1.1.1",
            "64:ff9b::101:101", "2002:101:101::1",
        ])
    func openOnesAreNot(text: String) throws {
        #expect(AddressRules.refusal(try #require(bytes(text))) == nil)
    }

    @Test func otherFamiliesAreRefused() {
        #expect(AddressRules.refusal([]) != nil && AddressRules.refusal([1, 2, 3]) != nil)
    }

    /// The bytes of an address, as the C library reads it.
    private func bytes(_ text: String) -> [UInt8]? {
        let isSix = text.contains(":")
        var bytes = [UInt8](repeating: 0, count: isSix ? 16 : 4)
        return inet_pton(isSix ? AF_INET6 : AF_INET, text, &bytes) == 1 ? bytes : nil
    }
}
