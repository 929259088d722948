import CIECard
import CardWork
import Pictures

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
    let name = path.split(separator: "/").last ?? ""
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
