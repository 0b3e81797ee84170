import Dispatch
import Foundation
import LocalFarm
import Synchronization
import Testing

/// The private folders of renders that run beside each other.
@Suite struct RuntimeFolderTests {
    @Test("folders that are made while others clear up are there and held")
    func madeBesideOthers() {
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 400) { _ in
            do {
                let folder = try RuntimeFolder()
                defer { folder.remove() }
                let removed = RuntimeFolder.removeUnheld()
                let isThere = FileManager.default.fileExists(atPath: folder.path)
                if !isThere || removed.contains(folder.path) {
                    failures.withLock { $0.append("\(folder.path) is gone") }
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
    }
}
