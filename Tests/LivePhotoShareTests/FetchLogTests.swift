import LivePhotoRequests
import LivePhotoShare
import NIOHTTP1
import Synchronization
import Testing
import WebServer

/// When a share is over.
struct FetchLogTests {
    private let events = Events()

    private final class Events: Sendable {
        let all = Mutex([ShareEvent.Transfer]())
    }

    private func log(_ count: Int) -> FetchLog {
        let events = events
        return FetchLog(total: count) { event in
            if case .transfer(let transfer) = event { events.all.withLock { $0.append(transfer) } }
        }
    }

    private func request(_ client: String = "10.0.0.2") -> Request {
        Request(path: "x", client: client, fields: HTTPHeaders([("User-Agent", "iPhone")]))
    }

    private struct Case {
        let name: String
        /// The ranges that each request gets, with its client.
        let requests: [(client: String, ranges: [Range<Int>])]
        let isDone: Bool
    }

    private static let cases: [Case] = [
        Case(name: "all at once", requests: [("a", [0..<100])], isDone: true),
        Case(name: "in pieces", requests: [("a", [0..<10, 10..<100])], isDone: true),
        Case(name: "continued", requests: [("a", [0..<60]), ("a", [50..<100])], isDone: true),
        Case(name: "stopped", requests: [("a", [0..<99])], isDone: false),
        Case(name: "one part each for two clients", requests: [("a", [0..<50]), ("b", [50..<100])], isDone: false),
        Case(name: "nothing", requests: [("a", [])], isDone: false),
    ]

    @Test func `a file is fetched when one client has all of it`() {
        for item in Self.cases {
            let log = log(1)
            for (client, ranges) in item.requests {
                let follow = log.follow(request(client), "a.zip", of: 100, items: [0])
                for range in ranges { follow(range) }
                #expect(!log.isDone(for: .zero), "under way")
                follow(nil)
            }
            #expect(log.isDone(for: .zero) == item.isDone, "\(item.name)")
        }
    }

    @Test func `all is fetched when each has been, in whatever form`() {
        let log = log(3)
        for (name, items) in [("a.zip", [0]), ("b.MP.jpg", [1])] {
            let follow = log.follow(request(), name, of: 10, items: items)
            follow(0..<10)
            follow(nil)
        }
        #expect(!log.isDone(for: .zero))
        let follow = log.follow(request(), "all.zip", of: 10, items: [0, 1, 2])
        follow(0..<10)
        follow(nil)
        #expect(log.isDone(for: .zero))
        #expect(events.all.withLock { $0.last?.fetched } == 3)
        #expect(events.all.withLock { $0.last?.isComplete } == true)
        #expect(!log.isDone(for: .seconds(10)), "not long enough ago")
    }

    @Test func `a share that is fetched from is not idle`() {
        let log = log(1)
        #expect(log.isIdle(for: .zero))
        let follow = log.follow(request(), "a.zip", of: 10, items: [0])
        #expect(!log.isIdle(for: .zero))
        follow(nil)
        #expect(log.isIdle(for: .zero))
    }
}
