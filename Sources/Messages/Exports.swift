// `Message` and `Diagnosis` stand below the card and the login, whose errors they describe: `import Messages` alone must reach
// them.
@_exported public import Primitives
