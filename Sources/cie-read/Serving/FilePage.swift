import CardWork
import DocumentSigning
import Messages
import Pictures
import Primitives

extension UploadStore {
  /// A page of a listed PDF, as a person sees it who places a visible mark: its picture, its size and the
  /// mark's places.
  ///
  /// - Parameters:
  ///   - page: first, last or a number.
  ///   - turn: its turn; the picture is given up once another page has one.
  func outcome(
    ofPage page: String, of id: String, inTurn turn: Int, _ language: Language
  ) -> CommandOutcome {
    do throws(Failure) {
      return CommandOutcome(members: try self.page(page, of: id, inTurn: turn, language))
    } catch { return CommandOutcome(failure: error) }
  }

  private func page(
    _ page: String, of id: String, inTurn turn: Int, _ language: Language
  ) throws(Failure) -> [JSON.Member] {
    let file = try self[id]
    guard file.isWhole, let page = VisibleMark.Page(argument: page) else {
      throw Request.unfit("page")
    }
    func failure(_ error: DocumentError) -> Failure { .signing(error, path: file.name) }
    var particulars = PDFParticulars()
    particulars.password = file.password
    particulars.mark = VisibleMark()
    particulars.mark?.page = page
    let source = try SignedFile.open(file.place, as: file.name)
    guard source.count <= PageProcess.longestFile else {
      throw failure(.tooLarge(limit: PageProcess.longestFile))
    }
    // Read once: the picture is one of the bytes that were listed.
    let bytes = try mapError(try source.bytes(0..<source.count), failure)
    let once = ByteSource(bytes)
    // First, because a file without its password has no digest that was shown.
    let marked = try mapError(try MarkedPage(of: once, particulars), failure)
    guard try mapError(try once.digest(), failure) == file.shown else {
      throw .found(Diagnosis(.usage, "not-as-shown", ["path": file.name]))
    }
    guard let marked else { throw Request.unfit("page") }
    func points(_ length: Double) -> JSON { .int(Int(length.rounded())) }
    let places = VisibleMark.Place.allNamed.map { place -> JSON.Member in
      let (left, bottom) = marked.edges(at: place)
      return .init(place.argument, .array([points(left), points(bottom)]))
    }
    var members: [JSON.Member] = [
      .init("page", marked.number), .init("width", points(marked.width)),
      .init("height", points(marked.height)),
      .init(
        "mark",
        .object([
          .init("width", points(marked.markWidth)), .init("height", points(marked.markHeight)),
          .init("fixed", marked.isFixed), .init("places", .object(places)),
        ])),
    ]
    do throws(Failure) {
      // The picture of another page than the signed one would be worse than none.
      guard marked.isNumberCertain else {
        throw Failure.found(Diagnosis(PictureError.pageNotDrawn))
      }
      let picture = try Self.picture(of: bytes, marked.number, isLocked: !file.password.isEmpty) {
        !isNewestPage(turn)
      }
      members.append(.init("picture", String(decoding: Base64.encode(picture), as: UTF8.self)))
    } catch {
      // The page can be signed all the same.
      members += [.init("picture", .null), .init("unseen", Diagnosis(error).json(language))]
    }
    return members
  }

  private static func picture(
    of bytes: [UInt8], _ number: Int, isLocked: Bool, isCancelled: () -> Bool
  ) throws(Failure) -> [UInt8] {
    do throws(PictureError) {
      return try PageProcess.draw(bytes, page: number, isCancelled: isCancelled).png()
    } catch {
      // The drawing program would get a password only where all users of the machine can read it.
      throw .found(
        isLocked && error == .pageNotDrawn
          ? Diagnosis(.usage, "page-locked", advice: Message("page-not-shown.do"))
          : Diagnosis(error))
    }
  }
}
