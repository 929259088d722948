import DocumentSigning

/// The answers of the authorities that were asked about one file, each by its address.
struct AuthorityAnswers: Sendable {
  let list: [AuthorityAnswer]
  /// Number of addresses that were left out because the budget was spent.
  let unasked: Int

  init(_ service: RevocationService) { (list, unasked) = (service.answers, service.unasked) }
}
