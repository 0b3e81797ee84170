package import DataPlane
import Diagnostics
import Foundation
import Glibc
import Hashing
package import SplitreelFiles
import Synchronization

// Contents: what is known, who has which, and how one comes.
extension StoreFolder {
    /// The answer to somebody who has a content.
    package enum Answer: Sendable, Equatable {
        /// It need not be sent.
        case held
        /// It is there, of somebody else: it need not be sent by those who have it.
        case prove(nonce: [UInt8])
        case send
    }

    /// An upload that may come.
    package enum Beginning: Sendable {
        case held
        /// Into this file, in which so many bytes are already.
        case comes(ArrivingFile, resumed: Int64)
    }

    /// The most questions that wait for an answer; then all are forgotten, and contents are sent.
    private static let mostQuestions = 1024

    /// Answers an offer. Throws `.uploadsFull` where there is no room, and `.malformedMessage` for a size that the
    /// content has not.
    package func offer(_ key: UploadKey, size: Int64) throws -> Answer {
        guard size >= 0, key.sum.count == 32 else { throw Self.malformed("no content has \(size) bytes") }
        let name = hexadecimal(key.sum)
        let answer = try state.withLock { state -> Answer in
            guard let content = state.contents[name] else { return .send }
            guard content.size == size else { throw Self.malformed("a content of that SHA-256 has another size") }
            if content.owners[key.owner] != nil { return .held }
            if state.questions.count >= Self.mostQuestions { state.questions = [:] }
            let nonce = (0..<32).map { _ in UInt8.random(in: 0...255) }
            state.questions[key] = PossessionChallenge(nonce: nonce, size: size)
            return .prove(nonce: nonce)
        }
        switch answer {
        case .held:
            // It may have gone meanwhile.
            if try give(key) { return .held }
        case .prove: return answer
        case .send: break
        }
        let disk = disk
        let use = state.withLock { $0.use(of: key.owner, disk) }
        if let refusal = limits.refusal(of: size, use) { throw refusal }
        return .send
    }

    /// Takes the answer to a question, which is good for one. Who is wrong has to send the content. Throws
    /// `.uploadsFull` where the owner may not hold so much.
    package func prove(_ key: UploadKey, _ proof: [UInt8]) throws -> Answer {
        guard let question = state.withLock({ $0.questions.removeValue(forKey: key) }) else { return .send }
        guard let file = try? LocalFile(path: contentPath(hexadecimal(key.sum))),
            let expected = try? question.proof({ try file.read(at: Int($0.lowerBound), count: $0.count) }),
            proof == expected
        else { return .send }
        return try filing.withLock { _ in
            let name = hexadecimal(key.sum)
            let isThere = try state.withLock { state in
                guard state.contents[name] != nil else { return false }
                // It is on the disk already.
                let own = state.use(of: key.owner)
                var use = StoreUse(bytesOfKey: own.bytesOfKey)
                use.filesOfKey = own.filesOfKey
                if let refusal = limits.refusal(of: question.size, use) { throw refusal }
                return state.use(name, by: key.owner, at: clock())
            }
            guard isThere else { return .send }
            do {
                try note(name, of: key.owner)
            } catch {
                state.withLock { $0.letGo(name, of: key.owner) }
                throw error
            }
            return .held
        }
    }

    /// Opens the file of an upload, and sums what has come of it. Throws `.uploadsFull`, and as writing does.
    package func begin(_ key: UploadKey, size: Int64) throws -> Beginning {
        let name = hexadecimal(key.sum)
        guard size >= 0 else { throw Self.malformed("no content has \(size) bytes") }
        let disk = disk
        // What is asked and what is taken is one step: many may begin at a time.
        let step = try state.withLock { state -> Step in
            if state.contents[name]?.owners[key.owner] != nil { return .held }
            if let promised = state.parts[key] {
                guard promised.size == size else { throw Self.malformed("one content is offered with two sizes") }
                return .goesOn
            }
            if let refusal = limits.refusal(of: size, state.use(of: key.owner, disk)) { throw refusal }
            state.promise(key, size: size)
            return .isNew
        }
        if step == .held { return .held }
        let file = ArrivingFile(path: partPath(key, size))
        do {
            return .comes(file, resumed: try file.resume(most: size))
        } catch {
            if step == .isNew { drop(key) }
            throw error
        }
    }

    private enum Step { case held, goesOn, isNew }

    /// Makes a content of an upload that is whole and right, and has its name. Throws as writing does.
    package func settle(_ key: UploadKey, size: Int64) throws {
        try filing.withLock { _ in
            let name = hexadecimal(key.sum)
            // Its room is the content's from now on; what fails has to be offered again.
            defer { drop(key) }
            try takeOver(name, from: partPath(key, size))
            // Known before somebody has it: a content of nobody is removed.
            state.withLock { $0.add(content: name, size: size) }
            try note(name, of: key.owner)
            state.withLock { _ = $0.use(name, by: key.owner, at: clock()) }
        }
    }

    /// Forgets an upload whose file is gone.
    func drop(_ key: UploadKey) { state.withLock { $0.drop(key) } }

    /// Gives a whole file its name among the contents. One that is there already stays. To be called under the lock of
    /// filing.
    func takeOver(_ name: String, from path: String) throws {
        if facts(of: contentPath(name)) == nil {
            try renameFile(path, to: contentPath(name))
            try synchronize(paths.contents)
        } else {
            unlink(path)
        }
    }

    /// Notes that the owner, who has the content, uses it now; false where it has gone.
    private func give(_ key: UploadKey) throws -> Bool {
        let name = hexadecimal(key.sum)
        return try filing.withLock { _ in
            guard state.withLock({ $0.contents[name]?.owners[key.owner] != nil }) else { return false }
            try note(name, of: key.owner)
            return state.withLock { $0.use(name, by: key.owner, at: clock()) }
        }
    }

    /// Writes the empty file that says so, with the present time.
    func note(_ name: String, of owner: String) throws {
        let folder = "\(paths.owners)/\(owner)"
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.failure("mkdir", folder) }
        let path = mark(name, of: owner)
        if facts(of: path) == nil {
            try writeFile(Data(), to: path, permissions: 0o600)
            return try synchronize(folder)
        }
        // Where the time cannot be set, the content is over sooner, and comes again.
        utimensat(AT_FDCWD, path, nil, 0)
    }

    private static func malformed(_ reason: String) -> SplitreelError {
        SplitreelError(.malformedMessage, operation: "uploading", subject: "a file", reason: reason)
    }
}
