import Coordinator
import FarmKeys
import Foundation
import KeyFiles
import Scheduling
import Transport

/// A coordinator in this process whose farm has keys, one for each guest.
struct KeyedFarm {
    let fixture: Fixture
    let keys: KeyFolder
    private let farm: PublicKey
    private let links: [String: LinkSecurity]

    init(
        _ guests: [String: Role], mediaWork: FakeMediaWork = FakeMediaWork(),
        change: (inout Limits) -> Void = { _ in }
    ) async throws {
        let folder = try Fixture.folder()
        (keys, farm, links) = try Self.makeKeys(guests, dataFolder: folder + "/data")
        fixture = try await Fixture(
            folder: folder, mediaWork: mediaWork, gate: try KeyGate(dataFolder: folder + "/data"), change: change)
    }

    /// The keys of a farm and of its guests in a folder, as `keys init` and `keys add` make them.
    static func makeKeys(
        _ guests: [String: Role], dataFolder: String
    ) throws -> (keys: KeyFolder, farm: PublicKey, links: [String: LinkSecurity]) {
        let keys = KeyFolder(dataFolder: dataFolder)
        let pair = try KeyPair.make()
        try keys.create(pair)
        var links: [String: LinkSecurity] = [:]
        for (name, role) in guests { links[name] = try add(name, role, to: keys, farm: pair.publicKey) }
        return (keys, pair.publicKey, links)
    }

    /// The keys of a guest.
    func link(_ name: String) throws -> LinkSecurity {
        guard let link = links[name] else { throw FakePeer.NothingCame() }
        return link
    }

    /// A key that the farm does not know.
    func stranger() throws -> LinkSecurity { .client(try KeyPair.make(), server: farm) }

    /// The file of a guest's token.
    func token(_ name: String, _ role: Role) throws -> String {
        guard case .client(let pair, let server) = try link(name), let keyName = KeyName(name) else {
            throw FakePeer.NothingCame()
        }
        let path = fixture.folder + "/\(name).token"
        let token = FarmToken(name: keyName, role: role, endpoint: fixture.endpoint, farm: server, pair: pair)
        try token.create(at: path)
        return path
    }

    /// A peer with the key of a guest.
    func peer(_ name: String) async throws -> FakePeer {
        try await FakePeer(fixture.endpoint, security: try link(name))
    }

    /// The keys of somebody who was no guest; the list gets one more line.
    func lateGuest(_ name: String, _ role: Role) throws -> LinkSecurity {
        try Self.add(name, role, to: keys, farm: farm)
    }

    func revoke(_ name: String) throws {
        guard let name = KeyName(name) else { throw FakePeer.NothingCame() }
        try keys.change { try $0.revoke(name) }
    }

    private static func add(
        _ name: String, _ role: Role, to keys: KeyFolder, farm: PublicKey
    ) throws -> LinkSecurity {
        guard let name = KeyName(name) else { throw FakePeer.NothingCame() }
        let pair = try KeyPair.make()
        let holder = KeyHolder(name: name, role: role)
        try keys.change { try $0.add(ListedKey(holder: holder, key: pair.publicKey, endpoint: "ipc:///farm")) }
        return .client(pair, server: farm)
    }
}
