/** So many files are open at the same time. */
const MAX_AT_ONCE = 32;

/** Does the work for each item, for some at once: each waits for the disk several times. @throws the first error. */
export async function someAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const next = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, next));
}
