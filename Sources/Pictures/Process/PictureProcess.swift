public import CIECard
internal import Glibc
internal import Primitives

/// Decodes the picture of a document in a separate process that can do nothing but calculate,
/// because the card chooses the picture and the libraries that decode it are large.
///
/// The process runs this program again with `argument` as its only argument; `main` calls `serve`
/// before anything else. Whatever the picture does to that process, this one gets a picture or an
/// error. Programs that cannot do this use `Picture.init(decoding:format:)`.
public enum PictureProcess {
  /// The program's only argument as a decoder; not a command of the command line.
  public static let argument = "--serve-picture"

  /// True if the program was started to decode a picture.
  public static var isServing: Bool { CommandLine.arguments.dropFirst().elementsEqual([argument]) }

  /// Time limit for a picture in milliseconds; the largest takes a quarter of a second.
  private static let patience: CInt = 10_000

  /// Decodes a picture.
  ///
  /// - Parameters:
  ///   - image: a complete file.
  ///   - format: the format of the file; any other counts as malformed.
  ///   - isCancelled: called ten times a second; returns true to end the process.
  /// - Throws: `PictureError`; `.decoderEnded` if the process crashes, exceeds ten seconds, or is
  ///   cancelled.
  public static func decode(
    _ image: [UInt8], format: DataGroup.Portrait.ImageFormat, isCancelled: () -> Bool = { false }
  ) throws(PictureError) -> Picture {
    guard let program = PictureDecoder.ownProgram else { throw .decoderEnded }
    return try decode(
      image, format: format, by: program, within: patience, isCancelled: isCancelled)
  }

  /// Decodes a picture with a program that takes `argument`.
  static func decode(
    _ image: [UInt8], format: DataGroup.Portrait.ImageFormat, by program: String,
    within patience: CInt,
    isCancelled: () -> Bool = { false }
  ) throws(PictureError) -> Picture {
    guard image.count <= Picture.longestFile else { throw .tooLarge }
    guard let child = PictureDecoder(program, [argument]) else { throw .decoderEnded }
    guard child.send([PictureMessage.code(of: format)] + image),
      let answer = child.answer(
        atMost: PictureMessage.longest, within: patience, isCancelled: isCancelled)
    else { throw .decoderEnded }
    return try PictureMessage.picture(in: answer)
  }

  /// Decodes the picture on standard input to standard output, behind limits and a filter of system calls.
  ///
  /// - Returns: the exit status.
  public static func serve() -> CInt {
    guard Confinement.calculation.begin() else { return 1 }
    guard var input = try? FileDescriptor(0).readAll(limit: Picture.longestFile + 1),
      !input.isEmpty,
      let format = PictureMessage.format(of: input.removeFirst())
    else { return 1 }
    let answer: [UInt8]
    do throws(PictureError) {
      answer = PictureMessage.bytes(of: try Picture(decoding: input, format: format))
    } catch {
      answer = PictureMessage.bytes(of: error)
    }
    do throws(SystemError) { try FileDescriptor(1).writeAll(answer) } catch { return 1 }
    return 0
  }
}
