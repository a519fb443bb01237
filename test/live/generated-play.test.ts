import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { priceOf } from '../../src/economics/prices.ts';
import { playCalls } from '../../tools/proof/live/play.ts';
import { PLAYED_MODELS, playedProvider } from '../../tools/proof/live/played-models.ts';
import { recordedCalls } from '../../tools/proof/live/recorded-calls.ts';
import { runs } from '../property-runs.ts';

const MINUTE_MS = 60_000;

/** A step of an agent: what it calls, how long it waits before, and whether its user replaces the context by a summary. */
const step = fc.record({
  tool: fc.constantFrom('Read', 'Read', 'Read', 'Write', 'Edit', 'Bash'),
  file: fc.constantFrom('/a.ts', '/b.ts', '/c.ts', '/d.ts'),
  lines: fc.constantFrom(20, 200, 1500),
  waitMinutes: fc.constantFrom(0, 1, 1, 1, 4, 7, 90),
  compacts: fc.constantFrom(...Array.from({ length: 29 }, () => false), true),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

type SessionEvents = Parameters<typeof recordedCalls>[0]['events'];

function inputOf({ tool, file }: Step): object {
  if (tool === 'Bash') return { command: 'ls' };
  if (tool === 'Read') return { file_path: file };
  return { file_path: file, ...(tool === 'Write' ? { content: 'new' } : { old_string: 'x', new_string: 'y' }) };
}

function eventsOf(steps: readonly Step[]): SessionEvents {
  let now = 0;
  const versions = new Map<string, number>();
  const start: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'start' }], metadata: { timestamp: 0 } };
  const events: SessionEvents[number][] = [{ kind: 'add', content: start }];
  for (const [at, one] of steps.entries()) {
    const { tool, file, lines, waitMinutes, compacts } = one;
    now += waitMinutes * MINUTE_MS;
    if (compacts) {
      const summary: IContent = { speaker: 'human', blocks: [{ type: 'text', text: `summary ${at}` }] };
      events.push({ kind: 'replace', contents: [summary] });
    }
    const version = (versions.get(file) ?? 0) + (tool === 'Write' || tool === 'Edit' ? 1 : 0);
    versions.set(file, version);
    const shown = Array.from({ length: lines }, (_, line) => `${line + 1}\t${file} version ${version} line ${line}`);
    const result = tool === 'Read' ? shown.join('\n') : `done ${at}`;
    const call = { type: 'tool_call', id: `t${at}`, name: tool, parameters: inputOf(one) } as const;
    const answer = { type: 'tool_response', callId: `t${at}`, toolName: tool, result } as const;
    events.push(
      { kind: 'add', content: { speaker: 'ai', blocks: [call], metadata: { id: `a${at}`, timestamp: now } } },
      { kind: 'add', content: { speaker: 'tool', blocks: [answer], metadata: { timestamp: now } } },
    );
  }
  return events;
}

test.each(PLAYED_MODELS)(
  'any session is accepted with all its thinking, sends the same prefix between epochs and after a restart, and costs at most 1% more: $model $api $ttl $account',
  async (played) => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 60 }), async (steps) => {
        const provider = playedProvider();
        const facts = { provider, played, vocabulary: claudeCode, workspaceRoot: '/', agent: 'claude-code' };
        const outcome = await playCalls(
          recordedCalls({ events: eventsOf(steps) } as Parameters<typeof recordedCalls>[0]),
          facts,
        );
        expect(outcome).toMatchObject({
          refusals: [],
          droppedThinking: 0,
          changedPrefixes: 0,
          changedByRestart: 0,
          failures: 0,
        });
        expect(outcome.dollars).toBeLessThanOrEqual(outcome.dollarsBefore * 1.01);
        if (outcome.dollars !== outcome.dollarsBefore) changed++;
      }),
      { numRuns: runs(20) },
    );
    // No dollars are known of a model without a price, and nothing that its cache may have changes.
    if (priceOf(played.model).match !== 'unknown') expect(changed).toBeGreaterThan(0);
  },
);
