import Diagnostics
import FarmKeys
import Foundation
import KeyFiles
import Testing

@Suite("Keys in files") final class KeyFolderTests {
    private let folder = NSTemporaryDirectory() + "splitreel-keys-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func key(_ number: UInt8) throws -> PublicKey {
        try #require(PublicKey(bytes: [UInt8](repeating: number, count: 32)))
    }

    /// Texts that have the form of keys are enough here.
    private func pair(_ number: UInt8) throws -> KeyPair {
        let secret = try #require(SecretKey(try key(number &+ 100).text))
        return KeyPair(publicKey: try key(number), secretKey: secret)
    }

    private func listed(_ name: String, _ number: UInt8) throws -> ListedKey {
        let name = try #require(KeyName(name))
        return ListedKey(
            holder: KeyHolder(name: name, role: .worker), key: try key(number), endpoint: "tcp://farm:7733")
    }

    private func token(_ name: String, _ number: UInt8) throws -> FarmToken {
        let name = try #require(KeyName(name))
        return FarmToken(
            name: name, role: .worker, endpoint: "tcp://farm:7733", farm: try key(1), pair: try pair(number))
    }

    /// The mode as the system's own `stat` prints it.
    private func mode(_ path: String) throws -> String {
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/stat")
        process.arguments = ["-c", "%a", path]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: - Tokens

    @Test func aTokenIsItsOwnersAlone() throws {
        let path = folder + "/ws7.token"
        let former = umask(0)
        defer { umask(former) }
        try token("ws7", 7).create(at: path)
        #expect(try mode(path) == "600")
        let read = try TokenSource.file(path).token()
        #expect(read.name.text == "ws7")
        // Another one does not take its place.
        let error = #expect(throws: SplitreelError.self) { try token("ws8", 8).create(at: path) }
        #expect(error?.code == .keyFileUnusable)
        #expect(try TokenSource.file(path).token().name.text == "ws7")
    }

    @Test(arguments: ["640", "604", "620", "644", "700", "777"])
    func aWiderModeIsRefused(octal: String) throws {
        let path = folder + "/a b.token"
        try token("ws7", 7).create(at: path)
        let number = try #require(Int(octal, radix: 8))
        #expect(chmod(path, mode_t(number)) == 0)
        if octal == "700" {
            #expect(try TokenSource.file(path).token().name.text == "ws7")
            return
        }
        let error = #expect(throws: SplitreelError.self) { try TokenSource.file(path).token() }
        #expect(error?.code == .keyFileUnusable && error?.code.exit == .usage)
        #expect(error?.reason.contains("0\(octal)") == true)
        #expect(error?.hint.description == "chmod 600 '\(path)'")
    }

    /// A credential as systemd 254 and later make it: root's, and the service's user reads it by an access list.
    @Test(.enabled(if: getuid() == 0, "only root can make a file of root's"))
    func aCredentialIsRead() throws {
        let path = folder + "/splitreel.token"
        try token("ws7", 7).create(at: path)
        #expect(chmod(path, 0o440) == 0)
        #expect(try TokenSource.file(path).token().name.text == "ws7")
        #expect(chown(path, 1, 0) == 0)
        #expect(throws: SplitreelError.self) { try TokenSource.file(path).token() }
        #expect(chown(path, 0, 1) == 0)
        #expect(throws: SplitreelError.self) { try TokenSource.file(path).token() }
    }

    @Test func whatIsNoFileIsRefused() throws {
        #expect(throws: SplitreelError.self) { try TokenSource.file(folder).token() }
        #expect(throws: SplitreelError.self) { try TokenSource.file(folder + "/none").token() }
        let pipe = folder + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: SplitreelError.self) { try TokenSource.file(pipe).token() }
    }

    @Test func aVariableHoldsAPathOrTheText() throws {
        let text = try token("ws7", 7).secretText
        let variable = TokenSource.variable
        #expect(TokenSource(flag: "/a", environment: [variable: text], setting: "/c") == .file("/a"))
        #expect(TokenSource(flag: nil, environment: [variable: "/b"], setting: "/c") == .file("/b"))
        #expect(TokenSource(flag: nil, environment: [variable: text], setting: "/c") == .environment)
        #expect(TokenSource(flag: nil, environment: [variable: ""], setting: "/c") == .file("/c"))
        #expect(TokenSource(flag: nil, environment: [:], setting: nil) == nil)
        #expect(try TokenSource.environment.token(environment: [variable: text]).name.text == "ws7")
    }

    @Test func aCredentialCountsWhereNothingNamesAToken() throws {
        let variable = TokenSource.variable
        let handed = ["CREDENTIALS_DIRECTORY": folder]
        #expect(TokenSource(flag: nil, environment: handed, setting: nil) == nil)
        let path = folder + "/splitreel.token"
        try token("ws7", 7).create(at: path)
        #expect(TokenSource(flag: nil, environment: handed, setting: nil) == .file(path))
        #expect(TokenSource(flag: nil, environment: handed, setting: "/c") == .file("/c"))
        let both = handed.merging([variable: "/b"]) { $1 }
        #expect(TokenSource(flag: nil, environment: both, setting: nil) == .file("/b"))
        #expect(TokenSource(flag: "/a", environment: handed, setting: nil) == .file("/a"))
    }

    // MARK: - The folder

    @Test func keysAreMadeOnceAndChangedInOneStep() throws {
        let keys = KeyFolder(dataFolder: folder + "/data")
        #expect(!keys.exists)
        #expect(throws: SplitreelError.self) { try keys.requireKeys() }
        try keys.create(try pair(1))
        #expect(keys.exists)
        let modes = [try mode(keys.path), try mode(keys.pairPath), try mode(keys.listPath)]
        #expect(modes == ["700", "600", "600"])
        #expect(throws: SplitreelError.self) { try keys.create(try pair(2)) }
        #expect(try keys.readPair().publicKey == key(1))

        let before = FileMark(path: keys.listPath)
        let one = try listed("a", 5)
        try keys.change { try $0.add(one) }
        #expect(try keys.readList().keys == [one])
        #expect(FileMark(path: keys.listPath) != before)
        #expect(FileMark(path: folder + "/none") == nil)
        // One that fails changes nothing.
        let mark = FileMark(path: keys.listPath)
        #expect(throws: SplitreelError.self) { try keys.change { try $0.add(one) } }
        #expect(FileMark(path: keys.listPath) == mark)
    }

    @Test func allKeysAnewWaitForAStart() throws {
        let keys = KeyFolder(dataFolder: folder)
        try keys.create(try pair(1))
        let old = try listed("a", 5)
        let new = try listed("a", 6)
        try keys.change { try $0.add(old) }
        var next = KeyList()
        try next.add(new)
        try keys.prepareNext(try pair(2)) { list in
            #expect(list.keys == [old])
            // While the list is made no other command changes the present one, so no revocation is lost.
            #expect(throws: SplitreelError.self) { try keys.change(nextToo: true) { try $0.revoke(old.holder.name) } }
            return next
        }
        #expect(keys.doesNextWait)
        #expect(try keys.readPair().publicKey == key(1))
        #expect(try keys.readList().keys == [old])
        // Meanwhile a key that is added would be lost, and one that is revoked is revoked in both.
        let other = try listed("b", 7)
        #expect(throws: SplitreelError.self) { try keys.change { try $0.add(other) } }
        try keys.change(nextToo: true) { try $0.revoke(old.holder.name) }

        try keys.takeUpNext()
        #expect(try keys.readPair().publicKey == key(2))
        let list = try keys.readList()
        #expect(list.keys.map(\.key) == [new.key])
        #expect(list.holder(of: new.key, at: 1) == nil && !keys.doesNextWait)
        try keys.takeUpNext()
        #expect(try keys.readList() == list)
    }

    /// The secret of a shared cache: a file of its own, or the farm's pair, which gives what the farm itself has.
    @Test func theSecretOfACache() throws {
        let path = folder + "/cache.key"
        func write(_ text: String, mode: Int = 0o600) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        let secret = String(repeating: "ab", count: 16)
        try write(secret + "\n")
        #expect(try CacheSecret.read(path) == secret)
        for (text, mode) in [("short", 0o600), (secret, 0o644)] {
            try write(text, mode: mode)
            let error = #expect(throws: SplitreelError.self) { try CacheSecret.read(path) }
            #expect(error?.code == .keyFileUnusable && "\(error?.reason ?? "")".contains(secret) == false)
        }
        // A text where a path is wanted is not shown.
        let absent = #expect(throws: SplitreelError.self) { try CacheSecret.read("/" + secret) }
        #expect(absent.map { "\($0)".contains(secret) } == false)

        #expect(try CacheSecret.ofFarm(dataFolder: folder) == nil)
        let keys = KeyFolder(dataFolder: folder)
        try keys.create(pair(3))
        let own = try pair(3).secretKey.secretText
        #expect(try CacheSecret.ofFarm(dataFolder: folder) == own && CacheSecret.read(keys.pairPath) == own)
    }
}
