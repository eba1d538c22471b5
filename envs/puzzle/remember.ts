/** Calls `make` at the first call and returns its value from then on. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** A function that remembers its last argument, a frozen object, and the result. */
export function rememberLast<Argument, Result>(
  call: (argument: Argument) => Result,
): (argument: Argument) => Result {
  let last: { readonly argument: Argument; readonly result: Result } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, result: call(argument) };
    return last.result;
  };
}
