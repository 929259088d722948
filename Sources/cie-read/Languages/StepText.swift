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
    }
  }

  /// Whether it happens when session keys exist already: an answer of wrong form is then no longer a matter of
  /// a card that is no CIE.
  var isBehindKeys: Bool {
    switch self {
    case .selectRoot, .selectCIE, .probeApplications, .readServicesNumber, .readChipSerialNumber,
      .readParameterFile, .readDeviceKey, .readServicesKey, .readSecurityObject, .answerChallenge,
      .readTries, .readDomainParameters, .readAuthorityKey, .agreeKeys:
      false
    case .presentCertificate, .authenticateTerminal, .authenticateChip, .verifyPIN, .verifyPUK,
      .changePIN, .resetPIN, .readDocumentNumber, .readCertificate, .sign:
      true
    }
  }
}
