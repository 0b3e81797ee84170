import Diagnostics
import SplitreelFiles
import TestTools
import Testing

@Suite("Paths that are mapped, and files that are seen")
struct PathMapsTests {
    private func error(_ texts: [String]) -> SplitreelError? {
        do {
            _ = try PathMaps(texts)
            return nil
        } catch {
            return error as? SplitreelError
        }
    }

    @Test func theLongestMatchComesFirst() throws {
        let maps = try PathMaps(["/mnt=/a", "/mnt/films/raw=/c", "/mnt/films=/b"])
        let raw = ["/c/1.mov", "/b/raw/1.mov", "/a/films/raw/1.mov", "/mnt/films/raw/1.mov"]
        #expect(maps.candidates("/mnt/films/raw/1.mov") == raw)
        #expect(maps.candidates("/mnt/films/1.mov") == ["/b/1.mov", "/a/films/1.mov", "/mnt/films/1.mov"])
        #expect(maps.candidates("/mnt/films") == ["/b", "/a/films", "/mnt/films"])
        #expect(maps.candidates("/other/1.mov") == ["/other/1.mov"])
    }

    @Test func foldersMatchAsWholeNames() throws {
        let maps = try PathMaps(["/mnt/film=/a"])
        #expect(maps.candidates("/mnt/films/1.mov") == ["/mnt/films/1.mov"])
        #expect(maps.candidates("/mnt/film1.mov") == ["/mnt/film1.mov"])
    }

    @Test func theRootIsAFolderToo() throws {
        #expect(try PathMaps(["/=/srv"]).candidates("/a/b.mov") == ["/srv/a/b.mov", "/a/b.mov"])
        #expect(try PathMaps(["/srv=/"]).candidates("/srv/a/b.mov") == ["/a/b.mov", "/srv/a/b.mov"])
        #expect(try PathMaps(["/a=/a"]).candidates("/a/b.mov") == ["/a/b.mov"])
    }

    @Test func pathsAreReadWithoutWhatMeansNothing() throws {
        let pairs = try PathMaps(["//mnt/./films/=/x//y/", "/a b=/c=d", "/k=v=/e"]).pairs
        #expect(pairs.map(\.from) == ["/mnt/films", "/a b", "/k=v"])
        #expect(pairs.map(\.to) == ["/x/y", "/c=d", "/e"])
        #expect(try PathMaps(["/a=/b", "/a/=/b"]).pairs.count == 1)
    }

    @Test func wrongTextsAreSaid() {
        let wrong = [
            "": "no `=`", "/mnt": "no `=`", "/mnt=films": "behind `=`", "mnt=/films": "before `=`",
            "=/films": "before `=`", "/a/../b=/c": "`..`", "/a=/b/..": "`..`",
        ]
        for (text, reason) in wrong {
            let error = error([text])
            #expect(error?.code == .usage, "\(text)")
            #expect(error?.reason.contains(reason) == true, "\(text): \(String(describing: error))")
            #expect(error?.hint.isEmpty == false)
        }
        #expect(error(["/a=/b", "/a=/c"])?.reason.contains("/b already") == true)
        #expect(error((0...PathMaps.most).map { "/a\($0)=/b" }) != nil)
    }

    @Test func foldersThatAreNotHereAreSaidAtTheStart() throws {
        let folder = try TestFolder("maps")
        try PathMaps(["/x=" + folder.path]).checkFolders()
        let file = try folder.write("", to: "file")
        for path in [folder.file("none"), file] {
            let maps = try PathMaps(["/x=" + path])
            let error = #expect(throws: SplitreelError.self) { try maps.checkFolders() }
            #expect(error?.code == .usage && error?.reason.contains(path) == true)
        }
    }

    @Test func aClientsFoldersAreSaidAtTheStart() throws {
        let folder = try TestFolder("own")
        try PathMaps([folder.path + "=/nonexistent/there"]).checkOwnFolders()
        let missing = folder.file("none")
        let error = #expect(throws: SplitreelError.self) {
            try PathMaps([missing + "=" + folder.path]).checkOwnFolders()
        }
        #expect(error?.code == .usage && error?.reason.contains(missing) == true)
    }

    @Test func whatNobodyLooksAtHasItsMappedPath() throws {
        let maps = try PathMaps(["/home/me=/srv", "/home/me/films=/films"])
        #expect(maps.mapped("/home/me/films/a.mov") == "/films/a.mov")
        #expect(maps.mapped("/home/me/b.mov") == "/srv/b.mov")
        #expect(maps.mapped("/home/you/b.mov") == "/home/you/b.mov" && PathMaps.same.mapped("/b.mov") == "/b.mov")
    }

    @Test func whatLiesInAFolderIsToldTogether() throws {
        let maps = try PathMaps(["/home/me=/srv", "/home/me/seq=/"])
        let film = ToldFolder(of: ["/home/me/a.mov"], named: "/home/me/a.mov", maps: maps)
        #expect(film.path == "/home/me" && film.names == ["/srv", "/home/me"])
        #expect(film.told("/home/me/a.mov", in: "/srv") == "/srv/a.mov")
        #expect(film.told("/home/me", in: "/srv") == "/srv" && film.told("/other/a", in: "/srv") == "/other/a")
        let images = ["/home/me/seq/1.png", "/home/me/seq/2.png"]
        for path in ["/home/me/seq", "/home/me/seq/%d.png"] {
            let sequence = ToldFolder(of: images, named: path, maps: maps)
            #expect(sequence.names == ["/", "/srv/seq", "/home/me/seq"])
            #expect(sequence.told(images[0], in: "/") == "/1.png")
        }
        #expect(ToldFolder("/home/me/seq", maps: maps).told("/home/me/seq/%d.png", in: "/srv/seq") == "/srv/seq/%d.png")
        let top = ToldFolder(of: ["/a.mov"], named: "/a.mov", maps: try PathMaps(["/=/srv"]))
        #expect(top.path == "/" && top.told("/a.mov", in: "/srv") == "/srv/a.mov")
    }

    @Test func filesOfSeveralFoldersKeepTheirPaths() throws {
        let maps = try PathMaps(["/home/me=/srv"])
        let several = ToldFolder(of: ["/home/me/1/a.png", "/home/me/2/a.png"], named: "/home/me/%d/a.png", maps: maps)
        #expect(several.names == ["/home/me/1"])
        #expect(several.told("/home/me/%d/a.png", in: "/home/me/1") == "/home/me/%d/a.png")
    }

    @Test func whatIsHereIsFoundUnderItsMappedPath() throws {
        let folder = try TestFolder("here")
        let file = try folder.write("", to: "a.mov")
        let maps = try PathMaps(["/nonexistent/films=" + folder.path, "/nonexistent=/nonexistent/other"])
        #expect(maps.here("/nonexistent/films/a.mov") == file)
        #expect(maps.here("/nonexistent/films/b.mov") == "/nonexistent/films/b.mov")
        #expect(maps.here(file) == file && PathMaps.same.here(file) == file)
        #expect(try PathMaps([]) == .same)
    }

    // MARK: what is read, and what is sent

    @Test func aFileThatIsSeenIsRead() throws {
        let sight = SourceSight(maps: try PathMaps(["/far=/near"]), opensPaths: true)
        var asked: [String] = []
        let mapped = sight.place(of: "/far/a.mov") { path in
            asked.append(path)
            return path == "/near/a.mov" ? .same : .missing
        }
        #expect(mapped == .seen(path: "/near/a.mov") && asked == ["/near/a.mov"])
        let own = sight.place(of: "/far/a.mov") { $0 == "/far/a.mov" ? .same : .missing }
        #expect(own == .seen(path: "/far/a.mov"))
    }

    @Test func anyOtherFileIsStreamed() throws {
        let sight = SourceSight(maps: try PathMaps(["/far=/near"]), opensPaths: true)
        let findings: [SourceLook.Finding] = [
            .missing, .outside, .another(reason: "it has 5 bytes, 6 were planned"), .unreadable(reason: "no right"),
        ]
        for finding in findings {
            let place = sight.place(of: "/far/a.mov") { $0 == "/near/a.mov" ? finding : .missing }
            let looks = [
                SourceLook(path: "/near/a.mov", finding: finding), SourceLook(path: "/far/a.mov", finding: .missing),
            ]
            #expect(place == .streamed(looks))
        }
        #expect(SourceLook(path: "/a", finding: .another(reason: "b")).words == "/a is another file: b")
    }

    @Test func aWorkerWithoutRootsOpensNoPath() throws {
        let sight = SourceSight(maps: try PathMaps(["/far=/near"]), opensPaths: false)
        var asked = 0
        let place = sight.place(of: "/far/a.mov") { _ in
            asked += 1
            return .same
        }
        #expect(place == .streamed([]) && asked == 0)
    }
}
