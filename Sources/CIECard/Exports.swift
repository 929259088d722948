// Public types that stand below the card, such as `Secret`, `UTCTime` and `CryptoError`, are names of this library's
// interface: `import CIECard` alone must reach them, although SignIn and the network have them without the card.
@_exported public import Primitives
