extension CardOptions {
  /// Requires that a card can do what these options make it announce.
  ///
  /// - Throws: `noKey`: chip authentication mapping without a key on the same parameters.
  public func require(of persona: Persona) throws(ParsingError) {
    let keys = persona.travelDocument.chipAuthenticationKeys.map(\.parameterIdentifier)
    let mapped = (paceProfiles ?? []).filter { $0.mapping == .chipAuthentication }
    guard mapped.allSatisfy({ keys.contains($0.parameterIdentifier) }) else { throw .noKey("pace") }
  }
}
