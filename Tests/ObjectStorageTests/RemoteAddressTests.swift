import Diagnostics
import ObjectStorage
import Testing

@Suite("Remote addresses")
struct RemoteAddressTests {
    @Test(
        arguments: [
            ("s3://films/a/b.mp4", "s3://films/a/b.mp4"), ("S3://films/a b+%.mp4", "s3://films/a b+%.mp4"),
            ("s3://films/what?#.mp4", "s3://films/what?#.mp4"), ("s3://films//a//b", "s3://films//a//b"),
            ("https://Example.ORG/a.mp4", "https://example.org/a.mp4"),
            ("https://example.org:443/a.mp4", "https://example.org/a.mp4"),
            ("https://example.org:8443/a%20b.mp4?X-Amz-Signature=secret", "https://example.org:8443/a%20b.mp4"),
            ("https://[2001:DB8::1]:9/a", "https://[2001:db8::1]:9/a"), ("https://example.org", "https://example.org/"),
        ])
    func addressesAreRead(text: String, shown: String) throws {
        let address = try RemoteAddress.parse(text)
        #expect(address.text == shown && RemoteAddress.isRemote(text))
        #expect(try RemoteAddress.parse(address.secretText) == address)
        #expect(address.isWritable == shown.hasPrefix("s3"))
    }

    @Test(
        arguments: [
            "s3://films", "s3://films/", "s3://films/folder/", "s3:///key", "s3://Ü/key", "s3://ab/key", "s3://-ab/key",
            "s3://user@films/key", "s3://films/../x", "s3://films/a/./b", "s3://films/a\u{7}b", "http://example.org/a",
            "https:///a", "https://a:secret@example.org/x", "https://example.org/a#b", "https://example.org?x=secret",
            "https://example.org:0/a", "https://example.org:65536/a", "https://example.org:/a",
            "https://example.org/a b", "https://example.org/%zz", "https://example.org/%ff", "https://example.org/%00",
            "https://example.org/a/%2e%2E/b", "https://example.org/a%2f..%2Fb", "https://exämple.org/a",
            "https://exa mple.org/a", "https://[::1/a", "https://[127.0.0.1]/a", "https://a..b/c", "ftp://a/b",
            "clip.mp4",
            "/s3://a/b", "",
        ])
    func othersAreRefused(text: String) throws {
        #expect(RemoteAddress(text) == nil)
        let error = #expect(throws: SplitreelError.self) { try RemoteAddress.parse(text) }
        #expect(error?.code == .remoteAddressInvalid && error?.description.contains("secret") == false)
    }

    @Test(
        arguments: [
            ("s3://films/a/b.mp4", "s3://films", true), ("s3://films/a/b.mp4", "s3://films/", true),
            ("s3://films/a/b.mp4", "s3://films/a", true), ("s3://films/a/b.mp4", "s3://films/a/", true),
            ("s3://films/ab.mp4", "s3://films/a", false), ("s3://films2/a/b.mp4", "s3://films", false),
            ("s3://films/A/b.mp4", "s3://films/a", false), ("s3://films/%61/b.mp4", "s3://films/a", false),
            ("https://example.org/v/a.mp4", "https://example.org/v", true),
            ("https://example.org/%76/a.mp4", "https://example.org/v/", true),
            ("https://example.org/%2576/a.mp4", "https://example.org/v/", false),
            ("https://example.org/va.mp4", "https://example.org/v", false),
            ("https://example.org:8443/v/a.mp4", "https://example.org/v", false),
            ("https://example.org.evil.net/v/a.mp4", "https://example.org/v", false),
            ("https://films/a/b.mp4", "s3://films", false),
        ])
    func rootsHoldWhatIsBelowThem(text: String, root: String, holds: Bool) throws {
        #expect(try RemoteAddress.parse(text).lies(under: RemoteAddress.parseRoot(root)) == holds)
    }

    @Test func queriesAreNeverShown() throws {
        let address = try RemoteAddress.parse("https://example.org/a.mp4?X-Amz-Signature=hushhush")
        for text in ["\(address)", String(reflecting: address), String(describing: [address: address])] {
            #expect(!text.contains("hush"), "\(text)")
        }
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!dumped.contains("hush"))
        #expect(throws: SplitreelError.self) { try RemoteAddress.parseRoot("https://example.org/?a=b") }
    }

    @Test(
        arguments: [
            (nil, "films", "https://films.s3.eu-west-1.amazonaws.com/a%20b/%2B.mp4"),
            (nil, "my.films", "https://s3.eu-west-1.amazonaws.com/my.films/a%20b/%2B.mp4"),
            ("http://10.0.0.5:9000", "films", "http://10.0.0.5:9000/films/a%20b/%2B.mp4"),
            ("https://store.example.org/s3/", "films", "https://store.example.org/s3/films/a%20b/%2B.mp4"),
            ("http://[::1]:9000", "films", "http://[::1]:9000/films/a%20b/%2B.mp4"),
        ] as [(String?, String, String)])
    func placesOnServers(endpoint: String?, bucket: String, url: String) throws {
        let storage = try RemoteStorage(
            RemoteSettings(endpoint: endpoint, region: "eu-west-1", credentials: .anonymous))
        #expect(try storage.url(of: RemoteAddress.parse("s3://\(bucket)/a b/+.mp4")) == url)
    }

    @Test(
        arguments: [
            "127.0.0.1:9000", "ftp://a", "http://", "http://user:secret@a", "http://a/?x", "http://a/%2e", "http://a:x",
            "http://a/../b",
        ])
    func wrongEndpointsAreRefused(text: String) {
        let error = #expect(throws: SplitreelError.self) {
            try RemoteStorage(RemoteSettings(endpoint: text, credentials: .anonymous))
        }
        #expect(error?.code == .settingsInvalid && error?.description.contains("secret") == false)
    }
}
