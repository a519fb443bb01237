import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outputForm } from '../../../../../src/cli/commands/dev/shape/output-form.ts';
import { printingCall, type SaidOfCall } from '../../../../../src/cli/commands/dev/shape/printing-call.ts';
import { VOCABULARIES } from '../../../../../src/content/vocabularies/index.ts';
import { LOSSLESS_CONFIG, RECOMMENDED_CONFIG } from '../../../../../src/live/turn/recommended-config.ts';
import { RECOMMENDED } from '../../../../../src/settings/recommended.ts';
import type { EphemeralSettings } from '../../../../../src/settings/registry.ts';
import { createEphemerals } from '../../../../../src/settings/resolve.ts';
import { HighDensityStrategy } from '../../../../../src/strategies/high-density/high-density.ts';
import { runs } from '../../../../property-runs.ts';
import { exchange, human } from '../../../../strategies/conversation.ts';

const contextOf = (said: SaidOfCall, settings: EphemeralSettings = {}) => {
  const ephemerals = createEphemerals([settings, RECOMMENDED], { model: 'unknown' });
  return { ...printingCall(said, ephemerals), ephemerals, workspaceRoot: '/repo' };
};

const RUN = fc
  .tuple(
    fc.constantFrom<(at: number) => string>(
      (at) => `src/part/a.ts:${at}:x`,
      (at) => `src/part/b.ts-${at}-y`,
      (at) => `src/part/${at}.ts`,
      (at) => ` ✓ test/a-${at}.test.ts (3 tests)`,
      (at) => `\u001b[32m${at} ok\u001b[39m`,
      (at) => `10%\r${at}%`,
      (at) => `line ${at} of a file that is long enough to count`,
      () => '      Tests  90 passed (90)',
      () => '',
    ),
    fc.integer({ min: 1, max: 25 }),
  )
  .map(([line, length]) => Array.from({ length }, (_, at) => line(at)));
const TEXT = fc.array(RUN, { minLength: 1, maxLength: 8 }).map((runs) => runs.flat().join('\n'));
const SAID = fc.constantFrom<SaidOfCall>(
  {},
  { tool: 'Grep' },
  { tool: 'Read' },
  { tool: 'nobody_knows' },
  ...['rg -n x', 'npm test', 'find . | head', 'cat a', 'npm ci && npm test'].map((command) => ({ command })),
);

describe('the form of an output', () => {
  test('is that of the strategy with the profile `recommended`, never longer, and twice is once', () => {
    let shaped = 0;
    fc.assert(
      fc.property(TEXT, SAID, (text, said) => {
        const context = contextOf(said);
        const form = outputForm(text, context);
        const { call, vocabulary } = context;
        const history = [human('Look.'), ...exchange(call.id, call.name, call.parameters, { result: text })];
        const found = new HighDensityStrategy({ vocabulary }).optimize(history, RECOMMENDED_CONFIG);
        const [block] = found.replacements.get(2)?.blocks ?? [];
        expect(form.text).toBe(block?.type === 'tool_response' ? block.result : text);
        expect(form.reasons.length > 0).toBe(form.text !== text);
        expect(form.text.length).toBeLessThanOrEqual(text.length);
        expect(outputForm(form.text, context).text).toBe(form.text);
        if (form.text !== text) shaped++;
      }),
    );
    expect(shaped).toBeGreaterThan(runs(20) / 2);
  });

  test('is the text where all shapers are off', () => {
    const off = Object.fromEntries(
      Object.keys(LOSSLESS_CONFIG.rules!).flatMap((name) =>
        /^(?:agentEchoes|terminalNoise|passingTests|matchesByFile|pathsByFolder|tenthLineNumbers)$/.test(name)
          ? [[`compression.density.${name}`, false]]
          : [],
      ),
    );
    const settings = { ...off, 'compression.density.repeatedLines': 0 };
    fc.assert(
      fc.property(TEXT, SAID, (text, said) => {
        expect(outputForm(text, contextOf(said, settings))).toEqual({ text, reasons: [] });
      }),
    );
  });

  test('is known for a command of every shell of every agent', () => {
    const text = Array.from({ length: 9 }, (_, at) => `src/part/${at}.ts`).join('\n');
    const shells = [...VOCABULARIES.values()].flatMap(({ tools }) =>
      Object.entries(tools).flatMap(([tool, { parser }]) => (parser === 'shell' ? [tool] : [])),
    );
    expect(shells.length).toBeGreaterThan(8);
    for (const tool of shells)
      expect(outputForm(text, contextOf({ tool, command: 'ls src/part/*' })).text, tool).not.toBe(text);
  });
});
