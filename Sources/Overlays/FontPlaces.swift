internal import CPango
import Foundation

/// The files and folders of the machine's fonts, of Fontconfig's rules and of its lists of fonts; and the links in
/// folders of fonts that a person has. Makes the lists where they are missing. Some of the places may not be there.
///
/// It takes some ten milliseconds, and minutes where Fontconfig sees many fonts for the first time.
package func fontPlaces() -> [String] {
    guard let config = unsafe FcInitLoadConfigAndFonts() else { return [] }
    defer { unsafe FcConfigDestroy(config) }
    let folders = unsafe strings(of: FcConfigGetFontDirs(config))
    let rules = unsafe strings(of: FcConfigGetConfigFiles(config))
    let lists = unsafe strings(of: FcConfigGetCacheDirs(config))
    return folders + folders.flatMap(links(in:)) + rules + lists
}

private func strings(of list: OpaquePointer?) -> [String] {
    guard let list = unsafe list else { return [] }
    defer { unsafe FcStrListDone(list) }
    var strings: [String] = []
    while let next = unsafe FcStrListNext(list) { strings.append(unsafe String(cString: next)) }
    return strings
}

/// The most names that are looked at in search of links.
private let mostNames = 10_000

/// The links in a folder; none in those of the system, whose links lead to others of its folders.
private func links(in folder: String) -> [String] {
    guard !folder.hasPrefix("/usr/"), let names = FileManager.default.enumerator(atPath: folder) else { return [] }
    var links: [String] = []
    var count = 0
    while count < mostNames, let name = names.nextObject() as? String {
        count += 1
        let path = folder + "/" + name
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil { links.append(path) }
    }
    return links
}
