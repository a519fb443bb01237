import { afterAll } from 'vitest';

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Calls `end` after the tests of the file, also if it is named inside of a test, where Vitest's own `afterAll` does nothing. */
export function afterFile(end: () => unknown): void {
  ends.push(end);
}
