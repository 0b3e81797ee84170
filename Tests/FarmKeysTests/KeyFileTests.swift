import Diagnostics
import FarmKeys
import Testing

@Suite("Files of keys") struct KeyFileTests {
    @Test func aTokenIsReadAsItWasWritten() throws {
        let token = try Samples.token()
        #expect(
            token.secretText == """
                splitreel-token 1
                # Whoever has this file is ws7 to the farm. `splitreel keys revoke ws7` ends that.
                name ws7
                role worker
                endpoint tcp://farm:7733
                farm-key \(Samples.otherText)
                public-key \(Samples.publicText)
                secret-key \(Samples.secretText)

                """)
        let read = try FarmToken(text: token.secretText, subject: "t")
        #expect(read.name == token.name && read.role == token.role && read.endpoint == token.endpoint)
        #expect(read.farm == token.farm && read.pair.publicKey == token.pair.publicKey)
        #expect(read.pair.secretKey.secretText == Samples.secretText)
        let foreign = token.secretText.replacing("\n", with: "\r\n")
        #expect(try FarmToken(text: foreign, subject: "t").pair.secretKey.secretText == Samples.secretText)
    }

    /// Each fault is told with its place, and without any of the text.
    @Test(
        arguments: [
            ("splitreel-token 1", "splitreel-token 2", "t", "another version"),
            ("splitreel-token 1", "something", "t", "its first line is not"),
            ("role worker", "role king", "t", "its role is none"),
            ("role worker", "", "t", "no line for role"),
            ("role worker", "role worker\nrole worker", "t:5", "twice"),
            ("role worker", "role worker admin", "t:4", "not a word and its value"),
            ("name ws7", "name a:b", "t", "its name is none"),
            ("secret-key JTKVSB", "secret-key JTKVS", "t", "its secret-key is none"),
            ("secret-key JTKVSB", "secret JTKVSB", "t:8", "not a word and its value"),
        ])
    func faultsOfATokenAreTold(part: String, instead: String, subject: String, reason: String) throws {
        let text = try Samples.token().secretText
        #expect(text.contains(part))
        let error = #expect(throws: SplitreelError.self) {
            try FarmToken(text: text.replacing(part, with: instead), subject: "t")
        }
        #expect(error?.code == .keyFileUnusable)
        #expect(error?.subject.description == subject)
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
        #expect(error?.description.contains("JTKVS") == false)
    }

    @Test func theFarmsPairIsReadAsItWasWritten() throws {
        let pair = try Samples.token().pair
        let read = try FarmPairText.pair(FarmPairText.secretText(pair), subject: "f")
        #expect(read.publicKey == pair.publicKey && read.secretKey.secretText == pair.secretKey.secretText)
        #expect(throws: SplitreelError.self) { try FarmPairText.pair(try Samples.token().secretText, subject: "f") }
    }

    // MARK: - The list

    private func listed(
        _ name: String, _ number: Int, _ role: Role = .worker, _ state: ListedKey.State = .valid
    ) throws -> ListedKey {
        ListedKey(
            holder: KeyHolder(name: try Samples.name(name), role: role), key: try Samples.numbered(number),
            endpoint: "tcp://farm:7733", state: state)
    }

    @Test func aListIsReadAsItWasWritten() throws {
        var list = KeyList()
        try list.add(try listed("a", 1))
        try list.add(try listed("b", 2, .submit, .revoked))
        // 2026-11-27T12:00:00Z, by `date -d @1795780800 -u`.
        try list.add(try listed("c", 3, .admin, .until(1_795_780_800)))
        let read = try KeyList(text: list.text, subject: "l")
        #expect(read == list)
        let lines = list.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.first == "splitreel-keys 1")
        #expect(lines.last?.hasSuffix("tcp://farm:7733 until 2026-11-27T12:00:00Z") == true)
        #expect(lines.count == 4)
    }

    @Test(
        arguments: [
            ("a worker KEY e", "l:2"), ("a king KEY e valid", "l:2"), ("a worker KEY e soon", "l:2"),
            ("a worker KEY e until tomorrow", "l:2"), ("a worker KE e valid", "l:2"),
            ("a worker KEY e valid\nb worker KEY e valid", "l:3"),
        ])
    func faultsOfAListAreTold(lines: String, subject: String) {
        let text = "splitreel-keys 1\n" + lines.replacing("KEY", with: Samples.publicText)
        let error = #expect(throws: SplitreelError.self) { try KeyList(text: text, subject: "l") }
        #expect(error?.code == .keyFileUnusable && error?.subject.description == subject)
    }

    @Test func aKeyHoldsWhileItIsValid() throws {
        var list = KeyList()
        try list.add(try listed("a", 1))
        try list.add(try listed("b", 2, .submit, .until(100)))
        let a = try Samples.numbered(1)
        let b = try Samples.numbered(2)
        #expect(list.holder(of: a, at: 5)?.name.text == "a")
        #expect(list.holder(of: b, at: 99)?.role == .submit)
        #expect(list.holder(of: b, at: 100) == nil)
        let unknown = try Samples.numbered(3)
        #expect(list.holder(of: unknown, at: 5) == nil)
        try list.revoke(try Samples.name("a"))
        #expect(list.holder(of: a, at: 5) == nil)
        // A name is given once.
        #expect(throws: SplitreelError.self) { try list.add(try listed("a", 4)) }
        #expect(throws: SplitreelError.self) { try list.revoke(try Samples.name("c")) }
    }

    @Test func aRotatedKeyHasTwoForAWhile() throws {
        var list = KeyList()
        try list.add(try listed("a", 1, .submit))
        let name = try Samples.name("a")
        let first = try Samples.numbered(1)
        let second = try Samples.numbered(2)
        let third = try Samples.numbered(3)
        let key = try list.rotate(name, to: second, until: 100, now: 10)
        #expect(key.holder.role == .submit && key.key == second && key.state == .valid)
        #expect(list.holder(of: first, at: 99)?.name == name && list.holder(of: second, at: 99)?.name == name)
        #expect(list.holder(of: first, at: 100) == nil && list.holder(of: second, at: 100)?.name == name)
        _ = try list.rotate(name, to: third, until: 300, now: 200)
        // The first one is over and forgotten.
        #expect(list.keys.map(\.key) == [second, third])
        try list.revoke(name)
        #expect([first, second, third].allSatisfy { list.holder(of: $0, at: 10) == nil })
        #expect(throws: SplitreelError.self) { try list.rotate(name, to: first, until: 9, now: 1) }
    }

    @Test func allAreRenewedButRevokedNamesStay() throws {
        var list = KeyList()
        try list.add(try listed("a", 1))
        try list.add(try listed("b", 2, .admin, .revoked))
        try list.add(try listed("c", 3, .observe, .until(100)))
        let another = try Samples.numbered(9)
        let next = list.renewed { _ in another }
        #expect(next.keys.map(\.holder.name.text) == ["a", "b"])
        #expect(next.holder(of: another, at: 1)?.name.text == "a")
        #expect(next.keys.last?.state == .revoked)
    }
}
