/** The number of single-character edits that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substitution = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[to.length]!;
}

/** True if `name` contains the letters of `word` in this order. */
const isWithin = (word: string, name: string): boolean =>
  [...name].reduce((found, letter) => (letter === word[found] ? found + 1 : found), 0) === word.length;

/** The name most like `wanted`, ignoring case: one that `wanted` abbreviates, else the one with the fewest edits. `names` is not empty. */
export function nearestName(wanted: string, names: readonly string[]): string {
  const word = wanted.toLowerCase().slice(0, 100);
  const cost = (name: string): number => {
    const known = name.toLowerCase();
    return word !== '' && isWithin(word, known) ? 0 : editDistance(word, known);
  };
  return names.reduce((best, name) => (cost(name) < cost(best) ? name : best));
}
