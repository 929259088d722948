import Glibc
import Primitives
import Testing

@Suite struct BlockingActorTests {
  @Test func worksOnOneThreadOfItsOwn() async {
    let actor = BlockingActor()
    let threads = await withTaskGroup(of: pthread_t.self) { group in
      for _ in 0..<20 { group.addTask { await actor.run { pthread_self() } } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(threads.count == 1)
    #expect(await BlockingActor().run { pthread_self() } != threads.first)
  }

  /// Blocked calls of many actors leave the shared pool free: it has one thread for each core.
  @Test func blockingItBlocksNobodyElse() async {
    let actors = (0..<16).map { _ in BlockingActor() }
    var gates: [Int32] = [-1, -1]
    pipe(&gates)
    let (read, write) = (gates[0], gates[1])
    await withTaskGroup(of: Void.self) { group in
      for actor in actors {
        group.addTask {
          await actor.run {
            var byte: UInt8 = 0
            _ = Glibc.read(read, &byte, 1)
          }
        }
      }
      // This runs while all of them wait, and ends them.
      group.addTask {
        await Task.yield()
        _ = Glibc.write(write, [UInt8](repeating: 0, count: actors.count), actors.count)
      }
    }
    close(read)
    close(write)
  }

  @Test func errorsComeThrough() async {
    struct Failure: Error, Equatable {}
    await #expect(throws: Failure()) {
      try await BlockingActor().run { () throws(Failure) in throw Failure() }
    }
  }

  /// The last job may release the actor, on its own thread.
  @Test func threadEndsWithTheActor() async {
    for _ in 0..<200 { await BlockingActor().run {} }
    let threads = (try? String(contentsOfFile: "/proc/self/status"))?
      .split(separator: "\n").first { $0.hasPrefix("Threads:") }?
      .split(separator: "\t").last.flatMap { Int($0) }
    #expect((threads ?? 200) < 100)
  }
}

extension String {
  fileprivate init(contentsOfFile path: String) throws {
    struct Unreadable: Error {}
    guard let file = fopen(path, "r") else { throw Unreadable() }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = fread(&buffer, 1, buffer.count, file)
    self.init(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
