public import CIECard
internal import CSeccomp
internal import Glibc
internal import System

/// Decodes the picture of a document in a process of its own, which may do nothing but calculate: a card chooses the
/// picture, and the libraries that read it are large.
///
/// The process is this program once more, started with `argument` and nothing else; its main function hands over to
/// `serve` before it does anything. Whatever the picture does to it, this process gets a picture or an error. A
/// library's user whose program cannot do that decodes with `Picture.init(decoding:format:)`.
public enum PictureProcess {
  /// The only argument of the program as a decoder; no command of the command line.
  public static let argument = "--serve-picture"

  /// Whether the program was started to decode a picture.
  public static var isServing: Bool { CommandLine.arguments.dropFirst().elementsEqual([argument]) }

  /// Milliseconds that a picture may take; the largest takes a quarter of a second.
  private static let patience: CInt = 10_000

  /// Decodes a picture.
  ///
  /// - Parameters:
  ///   - image: a complete file.
  ///   - format: what it is; another format makes it malformed.
  ///   - isCancelled: asked ten times a second whether to end the process.
  /// - Throws: `PictureError`; `.decoderEnded` when the process dies over it, is still at it after ten seconds, or was
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
    guard let child = PictureDecoder(program, argument: argument) else { throw .decoderEnded }
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
    guard Confinement.begin() else { return 1 }
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

/// What a process takes away from itself before it looks at a picture: files, network, other processes, privileges,
/// memory and time.
enum Confinement {
  /// Bytes of address space: the largest picture takes a fifth.
  private static let addressSpace: rlim_t = 1 << 30
  /// Seconds of calculation.
  private static let seconds: rlim_t = 5

  /// From here on only calculation is left. Where the kernel has no filter of system calls, the limits stand alone.
  ///
  /// - Returns: whether the limits hold.
  static func begin() -> Bool {
    guard cie_close_descriptors_from(3) == 0 else { return false }
    let isLimited =
      limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 0)
      && limit(RLIMIT_CPU, seconds) && limit(RLIMIT_AS, addressSpace)
    guard isLimited, cie_drop_privileges() == 0 else { return false }
    _ = cie_only_calculate()
    return true
  }

  private static func limit(_ resource: __rlimit_resource, _ value: rlim_t) -> Bool {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
  }
}
