/** Created at the first use: it takes 20 ms to load. */
let groups: Intl.NumberFormat | undefined;

/** `1234567` → `1,234,567`. */
export function grouped(value: number): string {
  groups ??= new Intl.NumberFormat('en-US');
  return groups.format(value);
}

/** `1 turn`, `2 turns`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
