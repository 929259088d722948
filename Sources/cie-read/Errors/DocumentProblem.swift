/// What is wrong with the options of the travel document. It never carries what a person typed.
enum DocumentProblem: String, Error, Sendable, Equatable, CaseIterable {
  /// More than one of --can, --can-fd, --mrz-file, and the three that are typed.
  case severalCodes = "several-access-codes"
  /// --from with something that a card is needed for.
  case folderWithCard = "folder-with-card"
  /// --only without what opens the document.
  case groupsWithoutCode = "groups-without-access-code"
  /// Not all three of --document, --birth and --expiry.
  case incompleteZone = "incomplete-mrz"
  /// --document is no document number.
  case documentNumber = "bad-document-number"
  /// --birth is no date.
  case dateOfBirth = "bad-birth-date"
  /// --expiry is no date.
  case dateOfExpiry = "bad-expiry-date"
  /// The file of --mrz-file holds no machine readable zone.
  case zoneFile = "bad-mrz-file"
  /// A check digit in it does not fit.
  case checkDigit = "mrz-check-digit"
  /// --only names something that is no data group.
  case unknownDataGroup = "unknown-data-group"
  /// --only names DG3 or DG4, which the card shows to the issuing state alone.
  case protectedDataGroup = "protected-data-group"
  /// The folder of --out exists and is not empty.
  case folderNotEmpty = "folder-not-empty"
  /// The name of --photo promises another format than the one that the card has.
  case photoFormat = "photo-format"
}
