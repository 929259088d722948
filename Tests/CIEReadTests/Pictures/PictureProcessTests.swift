import CIECard
import Foundation
import TestSupport
import Testing

@testable import Pictures

/// The decoder in a separate process: its result, its restrictions, and its failures.
@Suite(.timeLimit(.minutes(20))) struct PictureProcessTests {
  private func decode(
    _ image: [UInt8], _ format: DataGroup.Portrait.ImageFormat = .jp2, by program: String,
    within patience: CInt = 20_000
  ) throws(PictureError) -> Picture {
    try PictureProcess.decode(image, format: format, by: program, within: patience)
  }

  private let own: String

  init() throws { own = try BuiltBinary("cie-read").path }

  @Test func `the decoder's process gives the result of this process`() throws {
    let jp2 = try TinyPictures.jp2
    let picture = try Picture(decoding: jp2, format: .jp2)
    #expect(try decode(jp2, by: own) == picture)
    let grey = try TinyPictures.grey
    #expect(try decode(grey, by: own) == Picture(decoding: grey, format: .jp2))
    let jpeg = try picture.jpeg()
    #expect(try decode(jpeg, .jpeg, by: own) == Picture(decoding: jpeg, format: .jpeg))
    let tiles = try TinyPictures.tiles
    #expect(
      try decode(tiles, .jpeg2000Codestream, by: own)
        == Picture(decoding: tiles, format: .jpeg2000Codestream))
  }

  @Test func `the decoder's errors are passed on`() throws {
    let jp2 = try TinyPictures.jp2
    #expect(throws: PictureError.malformed) { try decode(Array(jp2.prefix(100)), by: own) }
    #expect(throws: PictureError.malformed) { try decode(jp2, .jpeg, by: own) }
    #expect(throws: PictureError.malformed) { try decode([], by: own) }
    let long = [UInt8](repeating: 0, count: Picture.longestFile + 1)
    #expect(throws: PictureError.tooLarge) { try decode(long, by: own) }
  }

  /// Any output of a decoder but a picture is one error, at once or when its time is over.
  @Test(arguments: [
    "exit 0", "exit 1", "kill -SEGV $$", "kill -KILL $$", "cat", "cat /dev/zero", "sleep 60",
    "exec <&-; sleep 60", "printf '\\000\\000\\000\\000\\001\\000\\000\\000\\001\\000'",
    "printf '\\004'", "printf '\\001\\001'",
  ])
  func `a decoder that fails is an error`(_ script: String) throws {
    let directory = try TemporaryDirectory()
    let program = try directory.write(
      "decoder", [UInt8]("#!/bin/sh\n\(script)\n".utf8), permissions: 0o700)
    let image = try TinyPictures.jp2
    #expect(throws: PictureError.decoderEnded) { try decode(image, by: program, within: 500) }
  }

  /// The wait for a decoder can be ended at once.
  @Test func `a cancelled decoder is ended`() throws {
    let directory = try TemporaryDirectory()
    let mark = directory.path("mark")
    let program = try directory.write(
      "decoder", [UInt8]("#!/bin/sh\necho $$ > \(mark)\nexec sleep 60\n".utf8),
      permissions: 0o700)
    let image = try TinyPictures.jp2
    #expect(throws: PictureError.decoderEnded) {
      try PictureProcess.decode(image, format: .jp2, by: program, within: 30_000) {
        (try? String(contentsOfFile: mark, encoding: .utf8).isEmpty) == false
      }
    }
    let process = try #require(
      Int32(String(contentsOfFile: mark, encoding: .utf8).filter(\.isNumber)))
    #expect(kill(process, 0) == -1)
  }

  @Test func `a decoder that cannot be started is an error`() throws {
    let image = try TinyPictures.jp2
    #expect(throws: PictureError.decoderEnded) { try decode(image, by: "/proc/nonexistent") }
  }

  /// While it waits for a picture, the kernel shows the decoder's restrictions.
  @Test func `the decoder has no other rights`() throws {
    try ConfinedProcess.run(
      own, [PictureProcess.argument],
      whenReady: { try ConfinedProcess.text($0 + "status").contains("Seccomp:\t2") }
    ) { try ConfinedProcess.expectConfined($0, files: 0, seconds: 5) }
  }
}
