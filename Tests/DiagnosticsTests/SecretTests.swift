import Diagnostics
import Testing

@Suite("Addresses in texts")
struct SecretTests {
    @Test(arguments: [
        ("https://h/a.mov?token=1", "https://h/a.mov"),
        ("https://h/a.mov?a=1,2, track 2", "https://h/a.mov, track 2"),
        ("https://me:word@h:8/a@b.mov", "https://h:8/a@b.mov"),
        ("HTTPS://me@h?x", "https://h"),
        ("https://h/a.mov, track 2", "https://h/a.mov, track 2"),
        ("s3://bucket/what?.mov", "s3://bucket/what?.mov"),
        ("/films/https://me@h?x", "/films/https://me@h?x"),
        ("", ""),
    ])
    func showNeitherAPasswordNorAQuery(text: String, shown: String) {
        #expect(text.withoutSecrets == shown)
        let error = SplitreelError(.mediaChanged, operation: "reading", subject: text, reason: "it was changed")
        #expect(error.subject.description == shown)
        #expect(Notice(.mediaChanged, subject: text, reason: "a frame is gone").subject == shown)
    }
}
