import { describe, expect, test } from 'vitest';
import { compareProfiles } from '../../src/lab/comparison.ts';
import type { ComparedProfile } from '../../src/lab/policy.ts';
import { BUILT_IN_PROFILES } from '../../src/settings/built-in-profiles.ts';
import { AGENTS, editedLater } from './edited-later.ts';

/** Generated sessions for each agent. */
const SESSIONS = Number(process.env['GENERATED_SESSIONS'] ?? 2);
/** The most edits that may need removed text. Source: bench/fidelity/README.md. */
const MAX_REGRETTED = 0.003;

const RECOMMENDED = BUILT_IN_PROFILES['recommended']!;
const POLICIES: readonly ComparedProfile[] = [
  { name: 'recommended', settings: RECOMMENDED },
  { name: 'without working sets', settings: { ...RECOMMENDED, 'compression.density.workingSetCalls': 0 } },
];

/** The share of edits regretted under each policy, over all sessions. */
async function regrettedShares(
  agent: (typeof AGENTS)[string],
): Promise<{ edits: number; regretted: readonly number[] }> {
  let edits = 0;
  const regretted = POLICIES.map(() => 0);
  for (let seed = 0; seed < SESSIONS; seed++) {
    const outcomes = await compareProfiles(editedLater(agent, seed), POLICIES);
    edits += outcomes[0]!.evidencedEdits;
    for (const [at, { regrets }] of outcomes.entries()) {
      regretted[at]! += regrets.filter(({ kind }) => kind === 'edit').length;
    }
  }
  return { edits, regretted };
}

describe('large files that are read together and edited one after the other', () => {
  const all = { edits: 0, recommended: 0 };

  test.each(Object.keys(AGENTS))('are needed after they were removed only without working sets: %s', async (name) => {
    const { edits, regretted } = await regrettedShares(AGENTS[name]!);
    const [recommended, without] = regretted as [number, number];
    console.log(`${name}: ${edits} edits, ${recommended} regretted, ${without} without working sets`);
    expect(edits).toBeGreaterThan(10 * SESSIONS);
    if (name !== 'gemini' && name !== 'commands') expect(without).toBeGreaterThan(MAX_REGRETTED * edits);
    if (name === 'commands') expect(recommended).toBe(0);
    all.edits += edits;
    all.recommended += recommended;
  });

  test('are nearly always there under `recommended`', () => {
    expect(all.edits).toBeGreaterThan(0);
    expect(all.recommended).toBeLessThanOrEqual(MAX_REGRETTED * all.edits);
  });
});
