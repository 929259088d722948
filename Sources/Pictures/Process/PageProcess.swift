internal import Glibc
internal import Primitives

/// Draws a page of a PDF by pdftoppm (Debian's package poppler-utils) in a separate process that reads its libraries and
/// fonts and can do nothing else, because the author of a document chooses its bytes, and the program that draws them is
/// large.
///
/// The process runs this program again with `argument` and the page; `main` calls `serve` before anything else, which
/// becomes pdftoppm. Whatever the document does to that process, this one gets a picture or an error.
public enum PageProcess {
  /// The program's first argument as a drawer; not a command of the command line.
  public static let argument = "--serve-page"

  /// True if the program was started to draw a page.
  public static var isServing: Bool {
    CommandLine.arguments.count == 3 && CommandLine.arguments[1] == argument
  }

  private static let drawer = "/usr/bin/pdftoppm"
  /// Largest file that is drawn, in bytes: it is in memory, there and here.
  public static let longestFile = 128 << 20
  /// Pixels of the page's longer side.
  public static let longestSide = 1400
  /// Time limit for a page in milliseconds.
  private static let patience: CInt = 15_000

  /// Draws a page as it is seen: its crop box, turned, with annotations.
  ///
  /// - Parameters:
  ///   - pdf: a complete file, at most `longestFile` bytes long.
  ///   - page: counted from 1.
  ///   - isCancelled: called ten times a second; returns true to end the process.
  /// - Throws: `drawerMissing`, `pageTooLarge` or `pageNotDrawn`.
  public static func draw(
    _ pdf: [UInt8], page: Int, isCancelled: () -> Bool = { false }
  ) throws(PictureError) -> Picture {
    guard access(drawer, X_OK) == 0 else { throw .drawerMissing }
    guard let program = PictureDecoder.ownProgram else { throw .pageNotDrawn }
    return try draw(pdf, page: page, by: program, within: patience, isCancelled: isCancelled)
  }

  /// Draws a page with a program that takes `argument` and the page.
  static func draw(
    _ pdf: [UInt8], page: Int, by program: String, within patience: CInt,
    isCancelled: () -> Bool = { false }
  ) throws(PictureError) -> Picture {
    guard pdf.count <= longestFile else { throw .pageTooLarge }
    guard let child = PictureDecoder(program, [argument, "\(page)"]), child.send(pdf),
      let answer = child.answer(
        atMost: longestAnswer, within: patience, isCancelled: isCancelled),
      let picture = picture(in: answer)
    else { throw .pageNotDrawn }
    return picture
  }

  private static let longestAnswer = 64 + Picture.mostPixels * 3

  /// Parses an answer (PPM, P6 with 255 as the highest value), without trusting its lengths.
  private static func picture(in answer: [UInt8]) -> Picture? {
    var rest = answer[...]
    guard rest.starts(with: "P6".utf8) else { return nil }
    rest.removeFirst(2)
    var numbers: [Int] = []
    while numbers.count < 3 {
      guard let first = rest.first, first == 0x20 || first == 0x0A else { return nil }
      let digits = rest.dropFirst().prefix(5).prefix { (0x30...0x39).contains($0) }
      guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
      numbers.append(number)
      rest = rest[digits.endIndex...]
    }
    guard numbers[2] == 255, rest.first == 0x0A else { return nil }
    return Picture(width: numbers[0], height: numbers[1], pixels: [UInt8](rest.dropFirst()))
  }

  /// Draws the page of the document on standard input to standard output, behind limits and filters.
  ///
  /// - Returns: the exit status, if there is no drawer.
  public static func serve() -> CInt {
    guard let page = CommandLine.arguments.last.flatMap(Int.init), page > 0 else { return 1 }
    let words = [
      drawer, "-q", "-cropbox", "-singlefile", "-f", "\(page)", "-scale-to", "\(longestSide)", "-",
    ]
    var arguments = words.map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    guard Confinement.drawing.begin() else { return 1 }
    execve(drawer, &arguments, &environment)
    return 1
  }
}
