import type { LoggedCall } from '../../src/proxy/call-log.ts';
import { Ledger } from '../../src/proxy/ledger/ledger.ts';
import type { LiveState } from '../../src/proxy/page/live-state.ts';
import { callOf, changeOf, decisionOf } from './live-calls.ts';

/** Names that would act on a terminal, a page or a reader's eye. */
export const HARD_NAMES = [
  'Read <img src=x onerror="window.broken=1">.ts',
  "Bash echo '</details></script><script>window.broken=1</script>'",
  'Read src/\u001b[31mred\u001b[0m/\u202eevil.ts',
  `Read ${'deeply/nested/'.repeat(12)}file-with-a-long-name.test.ts`,
  `Bash ${'x'.repeat(95)}`,
  `Read ${'設定'.repeat(45)}.ts`,
];

/** A morning's work in two conversations: repeats, a pause, a removal that pays, a file that was needed again. */
export function workedCalls(isShadow = false): LoggedCall[] {
  const calls: LoggedCall[] = [];
  let prompt = 18_000;
  let saved = 0;
  let minute = 0;
  let sent = 0;
  for (let at = 0; at < 60; at++) {
    const isPause = at === 41;
    minute += isPause ? 95 : 0.7;
    prompt += 1_400 + ((at * 733) % 900);
    const isRepeat = at % 9 === 4;
    const changed = isRepeat
      ? [
          changeOf(2_300, {
            kind: 'repeat',
            what: `Read src/room-${at}/file.ts`,
            hash: `3fa9c1${at}0000`,
            reason: `word for word the result of the earlier Read src/room-${at}/file.ts`,
          }),
        ]
      : isPause
        ? Array.from({ length: 14 }, (_, row) =>
            changeOf(1_150 + row * 40, {
              what: HARD_NAMES[row] ?? `Read src/part-${row}.ts`,
              hash: `abcdef${row}00000`,
              reason: `Edit src/part-${row}.ts changed the lines that it shows`,
            }),
          )
        : [];
    const newly = changed.reduce((sum, one) => sum + one.savedTokens, 0);
    saved += newly;
    if (!isShadow) prompt -= newly;
    const cached = isPause ? 0 : sent;
    calls.push(
      callOf({
        minute,
        prompt,
        cached,
        isShadow,
        addedMs: 0.4 + ((at * 7) % 13) / 5,
        report: {
          changed,
          savedTokens: saved,
          isEpoch: isPause,
          neededAgain: at > 50 ? ['src/part-3.ts'] : [],
          ...(isPause && decisionOf('cold')),
        },
      }),
    );
    sent = prompt;
  }
  calls.push(
    callOf({
      minute: minute + 1,
      prompt: 24_000,
      model: 'claude-opus-5-5',
      report: { conversation: '99aa00bb', isOff: true },
    }),
    { ...callOf({ minute: minute + 2, prompt: 700, cached: 0, model: 'claude-haiku-4-5' }), report: undefined },
  );
  return calls.map((call) => ({ ...call, isShadow }));
}

export function stateOf(calls: readonly LoggedCall[], given: Partial<LiveState> = {}): LiveState {
  const ledger = new Ledger();
  for (const call of calls) ledger.add(call);
  return {
    agent: 'claude-code',
    folder: '~/code/shop',
    isShadow: false,
    startedAt: calls[0]?.at ?? 0,
    numbers: ledger.numbers(),
    troubles: [],
    version: '0.0.0',
    ...given,
  };
}
