import CIECard
import CardWork
import Glibc
import Pictures
import Primitives

/// The file of `--photo`, whose format is the one that its name promises.
struct PhotoFile {
  private let form: Form
  private let file: OutputFile

  private enum Form {
    case png
    case jpeg
    case jpeg2000
    case stored
  }

  /// Checks, before the card is asked, that it can be written.
  init(_ path: String, overwriting: Bool) throws(Failure) {
    guard path != "-" else { throw .usage("output-twice") }
    let name = path.pathName
    let parts = name.split(separator: ".")
    form =
      switch parts.count > 1 ? parts.last?.lowercased() : nil {
      case "png": .png
      case "jpg", "jpeg": .jpeg
      case "jp2", "j2k", "j2c", "jpx": .jpeg2000
      default: .stored
      }
    file = try OutputFile(path, mode: 0o600, overwriting: overwriting)
  }

  /// Writes the portrait: PNG always by conversion, JPEG unless it is one already, other formats as stored.
  ///
  /// - Parameter interruption: ends the conversion early.
  func commit(_ data: DocumentData, _ interruption: Interruption) throws(Failure) {
    guard let portrait = data.portrait else {
      throw .found(
        data.unreadable.contains(.dg2)
          ? Diagnosis(.couldNotCheck, "portrait-unreadable") : Diagnosis(.notCarried, "no-portrait")
      )
    }
    // A JPEG is converted to no other format but PNG.
    if form == .jpeg2000, portrait.format == .jpeg {
      throw .usage("photo-format", key: "document-option.photo-format")
    }
    let bytes: [UInt8]
    do throws(PictureError) {
      switch form {
      case .png: bytes = try Picture(apart: portrait, interruption).png()
      case .jpeg where portrait.format != .jpeg:
        bytes = try Picture(apart: portrait, interruption).jpeg()
      case .jpeg, .jpeg2000, .stored: bytes = portrait.image
      }
    } catch {
      throw interruption.signal == nil ? .found(Diagnosis(error)) : .interrupted
    }
    try file.commit(bytes)
  }
}

extension Picture {
  /// The portrait of a document, decoded in a process without privileges.
  init(apart portrait: DataGroup.Portrait, _ interruption: Interruption) throws(PictureError) {
    MissingLibrary.requirePictures()
    self = try PictureProcess.decode(portrait.image, format: portrait.format) {
      interruption.signal != nil
    }
  }
}

extension DataGroup.Portrait.ImageFormat {
  /// The default extension of a file's name.
  var ending: String {
    switch self {
    case .jpeg: "jpg"
    case .jp2: "jp2"
    case .jpeg2000Codestream: "j2k"
    }
  }
}

/// A terminal that can show pictures, with its protocol.
enum PictureTerminal {
  /// The graphics protocol of kitty, which Ghostty speaks too.
  case kitty
  /// The inline images of iTerm2, which WezTerm shows too.
  case inline
  /// Half blocks in 24-bit colour.
  case blocks

  /// - Returns: `nil` when the stream is no terminal, or not one known to show any.
  init?(_ stream: Stream) {
    guard stream.isTerminal else { return nil }
    self.init { name in Environment.value(of: name) }
  }

  init?(environment: (String) -> String?) {
    let type = environment("TERM") ?? ""
    let program = environment("TERM_PROGRAM") ?? ""
    guard type != "dumb" else { return nil }
    // A terminal multiplexer passes on the environment of the outer terminal, not its pictures.
    let isMultiplexed =
      environment("TMUX") != nil || type.hasPrefix("screen") || type.hasPrefix("tmux")
    if !isMultiplexed {
      if environment("KITTY_WINDOW_ID") != nil || ["xterm-kitty", "xterm-ghostty"].contains(type)
        || program == "ghostty"
      {
        self = .kitty
        return
      }
      if ["iTerm.app", "WezTerm"].contains(program) {
        self = .inline
        return
      }
    }
    // https://no-color.org: set and not empty.
    let isColoured = (environment("NO_COLOR") ?? "").isEmpty
    guard isColoured, ["truecolor", "24bit"].contains(environment("COLORTERM") ?? "") else {
      return nil
    }
    self = .blocks
  }

  /// Lines of the terminal that the picture takes.
  private static let height = 16

  /// The bytes that show the portrait; empty when it cannot be decoded.
  func show(_ portrait: DataGroup.Portrait, _ interruption: Interruption) -> [UInt8] {
    do throws(PictureError) {
      let picture = try Picture(apart: portrait, interruption)
      switch self {
      case .kitty: return Self.kitty(try picture.png())
      case .inline: return Self.inline(try picture.png())
      case .blocks: return Self.blocks(picture)
      }
    } catch {
      return []
    }
  }

  /// PNG (f=100) in pieces of up to 4096 characters, shown at once (a=T), without an answer (q=2).
  private static func kitty(_ png: [UInt8]) -> [UInt8] {
    var rest = Base64.encode(png)[...]
    var keys = "a=T,f=100,q=2,r=\(height),"
    var result: [UInt8] = []
    while !rest.isEmpty {
      let piece = rest.prefix(4096)
      rest = rest.dropFirst(4096)
      result += [UInt8]("\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);".utf8) + piece
      result += [UInt8]("\u{1B}\\".utf8)
      keys = ""
    }
    return result + [UInt8]("\n".utf8)
  }

  private static func inline(_ png: [UInt8]) -> [UInt8] {
    let head = "\u{1B}]1337;File=inline=1;size=\(png.count);height=\(height):"
    return [UInt8](head.utf8) + Base64.encode(png) + [UInt8]("\u{07}\n".utf8)
  }

  /// Two pixels a character: the upper half in the foreground colour, the lower one behind it. A character is taken
  /// to be twice as high as it is wide.
  private static func blocks(_ picture: Picture) -> [UInt8] {
    let rows = height * 2
    let columns = max(1, min(80, picture.width * rows / picture.height))
    guard let small = picture.scaled(width: columns, height: rows) else { return [] }
    var text = ""
    for row in stride(from: 0, to: rows, by: 2) {
      for column in 0..<columns {
        let upper = small.colour(column, row)
        let lower = small.colour(column, row + 1)
        text += "\u{1B}[38;2;\(upper);48;2;\(lower)m▀"
      }
      text += "\u{1B}[0m\n"
    }
    return [UInt8](text.utf8)
  }
}

extension Picture {
  /// Red, green and blue in a terminal's notation.
  fileprivate func colour(_ column: Int, _ row: Int) -> String {
    let start = (row * width + column) * 3
    return pixels[start..<start + 3].map { String($0) }.joined(separator: ";")
  }
}
