/// What is wrong with the options of the travel document. It never carries what a person typed.
enum DocumentProblem: Error, Sendable, Equatable, CaseIterable {
  /// More than one of --can, --can-fd, --mrz-file, and the three that are typed.
  case severalCodes
  /// --from with something that a card is needed for.
  case folderWithCard
  /// --only without what opens the document.
  case groupsWithoutCode
  /// Not all three of --document, --birth and --expiry.
  case incompleteZone
  /// --document is no document number.
  case documentNumber
  /// --birth is no date.
  case dateOfBirth
  /// --expiry is no date.
  case dateOfExpiry
  /// The file of --mrz-file holds no machine readable zone.
  case zoneFile
  /// A check digit in it does not fit.
  case checkDigit
  /// --only names something that is no data group.
  case unknownDataGroup
  /// --only names DG3 or DG4, which the card shows to the issuing state alone.
  case protectedDataGroup
  /// The folder of --out exists and is not empty.
  case folderNotEmpty
  /// The name of --photo promises another format than the one that the card has.
  case photoFormat
}
