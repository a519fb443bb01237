/** An id for each of `ids`, none twice: its own where it is the first, else its own with a number. Linear. */
export function uniqueIds(ids: readonly string[]): string[] {
  const taken = new Set<string>();
  return ids.map((id) => {
    const own = id || 'call';
    let free = own;
    for (let count = 2; taken.has(free); count++) free = `${own}_${count}`;
    taken.add(free);
    return free;
  });
}
