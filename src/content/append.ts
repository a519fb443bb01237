/** Adds all of `from` at the end of `to`. As arguments of `push`, each on the stack, some 100,000 would be too many. */
export function append<Value>(to: Value[], from: Iterable<Value>): void {
  for (const one of from) to.push(one);
}
