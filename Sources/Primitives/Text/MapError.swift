/// Evaluates an expression and maps its error to that of another layer, as `Result.mapError` does.
@inlinable
package func mapError<Value: ~Copyable, Lower: Error, Upper: Error>(
  _ value: @autoclosure () throws(Lower) -> Value, _ convert: (Lower) -> Upper
) throws(Upper) -> Value {
  do { return try value() } catch { throw convert(error) }
}
