import { fileStore } from '../../src/live/file-store.ts';
import type { Exchange, Hook } from './hooks.ts';
import { STEPS } from './scripted-provider.ts';

/** What a hook did over many turns of two conversations at once. */
export interface ManyTurns {
  /** Requests whose start is not the request before, without an epoch; and those that a retry changed. */
  readonly changedPrefixes: number;
  readonly changedRetries: number;
  readonly epochs: number;
  /** Requests that were not looked at; and those sent as they were because pruning took over two seconds. */
  readonly untouched: number;
  readonly late: number;
  /** Characters of the last request of one conversation: as recorded, and as sent. */
  readonly recorded: number;
  readonly sent: number;
  /** True if the list is what it would be without the hook. */
  readonly isSameRecord: boolean;
}

const SESSIONS = ['one', 'two'];
const RETRIED_EVERY = 50;

/** Reads, writes and commands, in turn; a read file has changed if it was written. */
function exchange(turn: number): Exchange {
  const { name, input } = STEPS[turn % STEPS.length]!;
  const version = input['path'] === '/p/a.ts' ? Math.floor(turn / 6) : 0;
  const lines = Array.from({ length: 30 }, (_, line) => `line ${line} of ${input['path']}, ${version}`);
  // A result as short as this that says nothing new is sent whole.
  for (const what of ['Size', 'Owner', 'Time']) lines.push(`${what} of the file, read in turn ${turn}`);
  return { id: `call_${turn}`, name, input, result: name === 'read' ? lines.join('\n') : `ok ${turn}` };
}

const recordOf = (hook: Hook, session: string, turns: number): object[] => [
  hook.first(`Do it, please: ${session}`),
  ...Array.from({ length: turns }, (_, turn) => hook.elements(exchange(turn))).flat(),
];

/** Two conversations through one adapter. A new adapter replaces it in the middle, as after a restart. */
export async function manyTurns(hook: Hook, turns: number, folder: string): Promise<ManyTurns> {
  let isEpoch = false;
  let epochs = 0;
  let untouched = 0;
  let late = 0;
  let changedPrefixes = 0;
  let changedRetries = 0;
  let nowMs = 0;
  const options = {
    store: fileStore(folder),
    now: () => nowMs,
    onReport: (report: { isEpoch: boolean; untouched?: string }) => {
      isEpoch = report.isEpoch;
      epochs += isEpoch ? 1 : 0;
      untouched += report.untouched === undefined ? 0 : 1;
    },
  };
  let send = hook.start(options);
  const lists = new Map(SESSIONS.map((session) => [session, recordOf(hook, session, 0)]));
  const last = new Map<string, string>();
  for (let turn = 0; turn < turns; turn++) {
    if (turn === Math.floor(turns / 2)) send = hook.start(options);
    for (const [session, list] of lists) {
      nowMs += 1_000;
      list.push(...hook.elements(exchange(turn)));
      const sent = await send(list, session);
      const before = last.get(session) ?? '';
      if (before.includes('density: ') && !sent.includes('density: ')) {
        // The next one is to continue what was sent before this one.
        late++;
        continue;
      }
      if (!isEpoch && !sent.startsWith(before)) changedPrefixes++;
      if (turn % RETRIED_EVERY === 0 && (await send(list, session)) !== sent) changedRetries++;
      last.set(session, sent);
    }
  }
  const [session = ''] = SESSIONS;
  const recorded = JSON.stringify(recordOf(hook, session, turns));
  const isSameRecord = recorded === JSON.stringify(lists.get(session));
  return {
    changedPrefixes,
    changedRetries,
    epochs,
    untouched,
    late,
    recorded: recorded.length,
    sent: last.get(session)!.length,
    isSameRecord,
  };
}
