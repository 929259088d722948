internal import VirtualCIE

/// What a card's work is assumed to cost, to compare conversations without a stopwatch on a card.
///
/// The defaults are assumptions, not measurements of a CIE: a command costs 8 ms in reader, bus and card, bytes
/// travel at 424 kbit/s with ten bits each (ISO/IEC 14443-3 type B), and the arithmetic of a chip of that age. PACE with
/// generic mapping costs the card five exponentiations or point multiplications (its mapping key, the nonce's, the
/// common one, then its second key and the agreed one), chip authentication one; ciphers, hashes and the writing of
/// files count as part of the command.
struct CostModel {
  /// Milliseconds a command, whatever it does.
  var perCommand = 8.0
  /// Milliseconds a byte, either way.
  var perByte = 10.0 / 424
  /// Milliseconds a private RSA operation of 2048 bits.
  var perPrivateOperation = 180.0
  /// Milliseconds a public RSA operation of 2048 bits.
  var perPublicOperation = 20.0
  /// Milliseconds an exponentiation of Diffie–Hellman.
  var perExponentiation = 250.0
  /// Milliseconds a multiplication of a point on a curve of 256 bits.
  var perMultiplication = 60.0

  /// The modelled time of a conversation in milliseconds.
  func time(of measurement: Measurement) -> Double {
    let counters = measurement.log.counters
    return Double(measurement.log.entries.count) * perCommand
      + Double(measurement.log.bytesReceived + measurement.log.bytesSent) * perByte
      + Double(counters.rsaPrivateOperations) * perPrivateOperation
      + Double(counters.rsaPublicOperations) * perPublicOperation
      + Double(counters.dhExponentiations) * perExponentiation
      + Double(counters.curveMultiplications) * perMultiplication
  }
}
