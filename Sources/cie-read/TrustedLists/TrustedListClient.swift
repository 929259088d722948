import CardWork
import DocumentSigning
import Messages
import Primitives
import RedirectFlow

/// Exchanges of one run with the publishers of trusted lists.
///
/// A list that has not changed since the stored one is not sent again (RFC 9110 §13.1).
struct TrustedListClient {
  let context: RunContext
  /// A folder that has the documents, each by the last part of its address, or the address of one; nil to ask where they are.
  let folder: String?
  /// The versions of the stored documents in the words of their servers, by the documents' keys.
  private(set) var validators: [String: Validator]

  /// The longest time for a list.
  private static let patience = Duration.seconds(120)

  init(context: RunContext, folder: String?, validators: [String: Validator]) {
    (self.context, self.folder, self.validators) = (context, folder, validators)
  }

  /// The version of a document in the words of its server.
  struct Validator: Sendable, Equatable {
    let url: String
    /// ETag and Last-Modified, as they came (RFC 9110 §8.8).
    let tag: String?
    let modified: String?
    /// The hash of the document, SHA-256.
    let hash: [UInt8]

    fileprivate var conditions: [HTTPResponse.Header] {
      if let tag { return [.init(name: "If-None-Match", value: tag)] }
      return modified.map { [.init(name: "If-Modified-Since", value: $0)] } ?? []
    }
  }

  /// Gets the document that is wanted, or states why there is none.
  ///
  /// - Throws: an interruption.
  mutating func take(
    _ request: TrustedListRequest, for update: inout TrustedListUpdate, stored: [UInt8]?
  ) throws(Failure) {
    do throws(Failure) {
      update.answer(try answer(to: request, stored: stored))
    } catch {
      guard !error.isInterruption else { throw error }
      update.fail(Diagnosis(error))
    }
  }

  /// - Returns: nil if it is the stored one.
  private mutating func answer(
    to request: TrustedListRequest, stored: [UInt8]?
  ) throws(Failure) -> [UInt8]? {
    let url = folder.map { Self.place(of: request.url, in: $0) } ?? request.url
    guard url.includes("://") else {
      return try InputFile.read(url, limit: TrustedListUpdate.longestList)
    }
    let known = validators.removeValue(forKey: request.key)
    let hash = try stored.map { (bytes) throws(Failure) in try Self.hash(bytes) }
    let isKnown = known.map { $0.url == url && $0.hash == hash } ?? false
    var wanted = HTTPRequest(url: url, method: .get, bodyLimit: TrustedListUpdate.longestList)
    if isKnown, let known { wanted.headers += known.conditions }
    let response = try context.follow(
      wanted, Message("wait.trusted-list", ["list": request.key]), within: Self.patience,
      where: Self.isAllowed)
    if response.status == 304, isKnown {
      validators[request.key] = known
      return nil
    }
    guard response.status == 200 else {
      var problem = Diagnosis.refused(response.url, status: response.status)
      problem.advice = Message("trusted-list-refused.do")
      throw .found(problem)
    }
    validators[request.key] = Validator(
      url: url, tag: response.header("etag"), modified: response.header("last-modified"),
      hash: try Self.hash(response.body))
    return response.body
  }

  private static func place(of url: String, in folder: String) -> String {
    let name = url.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? ""
    return folder + (folder.hasEnding("/") ? "" : "/") + name
  }

  /// Lists are signed, but anybody on the way could answer in clear with an older one, so that only this machine may.
  private static func isAllowed(_ url: String) -> Bool {
    guard let origin = try? RedirectURL(url).origin else { return false }
    return origin.scheme == .https || ["127.0.0.1", "[::1]"].contains(origin.host)
  }

  private static func hash(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
    try mapError(try HashAlgorithm.sha256.hash(bytes)) { (error: CryptoError) in
      Failure.found(Diagnosis(error))
    }
  }
}

extension [String: TrustedListClient.Validator] {
  /// Reads what `json` wrote. A file that was damaged only makes the next update longer.
  init(json bytes: [UInt8]) {
    self = [:]
    guard let value = try? JSONValue(bytes), case .object(let members) = value else { return }
    for (name, value) in members {
      guard let url = value["url"]?.text,
        let hash = value["sha256"]?.text.flatMap([UInt8].init(hexadecimal:))
      else { continue }
      self[name] = TrustedListClient.Validator(
        url: url, tag: value["etag"]?.text, modified: value["modified"]?.text, hash: hash)
    }
  }

  var json: JSON {
    .object(
      sorted { $0.key < $1.key }.map { name, validator in
        .init(
          name,
          .object([
            .init("url", validator.url), .init("etag", validator.tag),
            .init("modified", validator.modified), .init("sha256", validator.hash.hexadecimal),
          ]))
      })
  }
}
