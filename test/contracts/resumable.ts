import { expect } from 'vitest';

type Fields = Readonly<Record<string, unknown>>;

/** What an agent needs of one of its files to go on with it. Each list is compared between the file as it was and as it was written. */
export interface Resumable {
  /** What identifies the session as a whole: its own id, its project, its version. */
  readonly identity: readonly unknown[];
  /** Ids of the lines or messages in the order of the file. */
  readonly ids: readonly string[];
  /** From each id to the one it hangs on. */
  readonly parents: ReadonlyMap<string, string>;
  /** Signatures and sealed content, by the id of what carries them. */
  readonly signatures: ReadonlyMap<string, readonly string[]>;
  /** Calls that have no result where the agent looks for it, and results without a call. */
  readonly unpaired: readonly string[];
  /** Numbers that must rise from line to line; empty where there are none. */
  readonly sequence: readonly number[];
}

const SEALS =
  /^(?:thoughtSignature|thinkingSignature|textSignature|signature|encryptedContent|encrypted_content|reasoningOpaque|reasoningEncryptedContent)$/;

/** Every sealed text inside a value, in order. */
export function sealsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(sealsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Fields).flatMap(([key, inner]) =>
    SEALS.test(key) && typeof inner === 'string' ? [inner] : sealsIn(inner),
  );
}

/**
 * Checks that an agent can go on with `after` as it could with `before`: the session is the same one, what is left of
 * its messages stands in the old order, everything a message hangs on is there, no call lost its result, no signature
 * changed, and numbers of lines rise.
 */
export function expectResumable(before: Resumable, after: Resumable): void {
  expect(after.identity).toEqual(before.identity);
  const left = new Set(after.ids);
  expect(
    after.ids.filter((id) => before.ids.includes(id)),
    'the order of the messages',
  ).toEqual(before.ids.filter((id) => left.has(id)));
  for (const [id, parent] of after.parents) {
    const wasThere = before.parents.get(id) !== parent || before.ids.includes(parent);
    if (wasThere) expect(left.has(parent), `${id} hangs on ${parent}`).toBe(true);
  }
  for (const [id, seals] of after.signatures) {
    const known = before.signatures.get(id);
    if (known) expect(known, `signatures of ${id}`).toEqual(expect.arrayContaining([...seals]));
  }
  expect(after.unpaired.filter((id) => !before.unpaired.includes(id))).toEqual([]);
  expect(
    after.sequence.every((number, index) => index === 0 || number > (after.sequence[index - 1] ?? 0)),
    'rising numbers',
  ).toBe(true);
}
