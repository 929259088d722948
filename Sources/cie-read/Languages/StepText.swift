import CIECard

extension Step {
  /// What the program is doing, as a line of progress.
  var text: Bilingual {
    switch self {
    case .selectRoot:
      Bilingual(it: "Cerco l'applicazione della carta", en: "Looking for the card's application")
    case .selectCIE:
      Bilingual(it: "Apro l'applicazione CIE", en: "Opening the CIE application")
    case .probeApplications:
      Bilingual(
        it: "Chiedo alla carta quali applicazioni ha", en: "Asking the card for its applications")
    case .readServicesNumber:
      Bilingual(it: "Leggo il numero servizi (NIS)", en: "Reading the services number (NIS)")
    case .readChipSerialNumber:
      Bilingual(
        it: "Leggo il numero di serie del chip", en: "Reading the serial number of the chip")
    case .readParameterFile:
      Bilingual(
        it: "Leggo la copia firmata dei parametri", en: "Reading the signed copy of the parameters")
    case .readDeviceKey:
      Bilingual(it: "Leggo la chiave del dispositivo", en: "Reading the device key")
    case .readServicesKey:
      Bilingual(it: "Leggo la chiave dei servizi", en: "Reading the services key")
    case .readSecurityObject:
      Bilingual(it: "Leggo le impronte firmate", en: "Reading the signed hashes")
    case .answerChallenge:
      Bilingual(it: "Sfido il chip a firmare", en: "Challenging the chip to sign")
    case .readTries:
      Bilingual(it: "Chiedo i tentativi rimasti", en: "Asking for the tries left")
    case .readDomainParameters:
      Bilingual(
        it: "Leggo i parametri Diffie–Hellman", en: "Reading the Diffie–Hellman parameters")
    case .readAuthorityKey:
      Bilingual(it: "Leggo la chiave dell'autorità", en: "Reading the authority key")
    case .agreeKeys:
      Bilingual(it: "Concordo le chiavi di sessione", en: "Agreeing on session keys")
    case .presentCertificate:
      Bilingual(
        it: "Mostro alla carta il certificato del terminale",
        en: "Showing the card the terminal's certificate")
    case .authenticateTerminal:
      Bilingual(it: "Mi autentico verso la carta", en: "Proving the terminal to the card")
    case .authenticateChip:
      Bilingual(it: "Faccio autenticare il chip", en: "Letting the chip prove itself")
    case .verifyPIN:
      Bilingual(it: "Verifico il PIN", en: "Verifying the PIN")
    case .verifyPUK:
      Bilingual(it: "Verifico il PUK", en: "Verifying the PUK")
    case .changePIN:
      Bilingual(it: "Cambio il PIN", en: "Changing the PIN")
    case .resetPIN:
      Bilingual(it: "Imposto il nuovo PIN", en: "Setting the new PIN")
    case .readDocumentNumber:
      Bilingual(it: "Leggo il numero del documento", en: "Reading the document number")
    case .readCertificate:
      Bilingual(it: "Leggo il certificato", en: "Reading the certificate")
    case .sign:
      Bilingual(it: "Firmo con la carta", en: "Signing with the card")
    case .readCardAccess:
      Bilingual(
        it: "Chiedo come si apre il documento", en: "Asking how the travel document opens")
    case .readCardLimits:
      Bilingual(
        it: "Chiedo quanto lunghi possono essere i comandi", en: "Asking how long commands may be")
    case .openAccess:
      Bilingual(it: "Apro il documento", en: "Opening the travel document")
    case .readCardSecurity:
      Bilingual(
        it: "Leggo le informazioni di sicurezza firmate",
        en: "Reading the signed security information")
    case .selectTravelDocument:
      Bilingual(
        it: "Seleziono il documento di viaggio", en: "Selecting the travel-document application")
    case .readCommonData:
      Bilingual(it: "Leggo l'elenco dei gruppi di dati", en: "Reading the list of data groups")
    case .readDocumentSecurityObject:
      Bilingual(
        it: "Leggo le impronte firmate del documento",
        en: "Reading the signed hashes of the document")
    case .readMachineReadableZone:
      Bilingual(
        it: "Leggo la zona a lettura ottica", en: "Reading the machine readable zone")
    case .readPortrait:
      Bilingual(it: "Leggo la fotografia", en: "Reading the portrait")
    case .readPersonalDetails:
      Bilingual(it: "Leggo i dati personali", en: "Reading the personal details")
    case .readDocumentDetails:
      Bilingual(it: "Leggo i dati del rilascio", en: "Reading the details of issue")
    case .readSecurityOptions:
      Bilingual(it: "Leggo le opzioni di sicurezza", en: "Reading the security options")
    case .readActiveAuthenticationKey:
      Bilingual(
        it: "Leggo la chiave di autenticazione attiva",
        en: "Reading the key of active authentication")
    case .readDataGroup:
      Bilingual(it: "Leggo un gruppo di dati", en: "Reading a data group")
    case .leaveTravelDocument:
      Bilingual(it: "Chiudo il documento di viaggio", en: "Leaving the travel document")
    }
  }

  /// Whether it happens when session keys exist already: an answer of wrong form is then no longer a matter of
  /// a card that is no CIE.
  var isBehindKeys: Bool {
    switch self {
    case .selectRoot, .selectCIE, .probeApplications, .readServicesNumber, .readChipSerialNumber,
      .readParameterFile, .readDeviceKey, .readServicesKey, .readSecurityObject, .answerChallenge,
      .readTries, .readDomainParameters, .readAuthorityKey, .agreeKeys,
      .readCardAccess, .readCardLimits, .openAccess, .leaveTravelDocument:
      false
    case .presentCertificate, .authenticateTerminal, .authenticateChip, .verifyPIN, .verifyPUK,
      .changePIN, .resetPIN, .readDocumentNumber, .readCertificate, .sign, .readCardSecurity,
      .selectTravelDocument, .readCommonData, .readDocumentSecurityObject,
      .readMachineReadableZone, .readPortrait, .readPersonalDetails, .readDocumentDetails,
      .readSecurityOptions, .readActiveAuthenticationKey, .readDataGroup:
      true
    }
  }
}
