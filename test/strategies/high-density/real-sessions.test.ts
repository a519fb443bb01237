import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { liveHistory } from '../../../src/formats/contract.ts';
import { detectFormat } from '../../../src/formats/index.ts';
import { linesOf } from '../../../src/formats/lines/lines.ts';
import { densityConfig } from '../../../src/gate/density/density-step.ts';
import { BUILT_IN_PROFILES } from '../../../src/settings/built-in-profiles.ts';
import { parseSettings } from '../../../src/settings/parse.ts';
import { createEphemerals } from '../../../src/settings/resolve.ts';
import type { DensityConfig } from '../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';
import { optimizePlainly } from '../../../src/strategies/high-density/optimize-plainly.ts';
import { countEdits } from '../../../src/strategies/reasons/edit-counts.ts';
import { haveRealSessions, isSampled, sessionsOfEveryFormat } from '../../real-sessions.ts';

/** More sessions, which take a minute: looked at where this is set. */
const MORE = process.env['MORE_SESSIONS'] ?? '';
/** A small step, and large ones. */
const PREFIX_RATIOS = isSampled ? [0.3, 0.31, 1] : [0.3, 0.31, 0.6, 0.9, 1];

const policies = JSON.parse(readFileSync('bench/fidelity/policies.json', 'utf8')) as Record<
  string,
  Record<string, unknown>
>;
const settings: Record<string, unknown>[] = [
  ...Object.values(policies),
  ...Object.values(BUILT_IN_PROFILES).map((profile) => ({ ...profile })),
].flatMap((policy) => [
  policy,
  { ...policy, 'compression.density.recencyPruning': true, 'compression.density.recencyRetention': 2 },
]);

/** The settings of every policy and profile, with and without recency, each once. */
function configsIn(workspaceRoot: string): DensityConfig[] {
  const configs = settings.map((policy) => {
    const ephemerals = createEphemerals([parseSettings(policy)], { model: 'gpt-5' });
    return densityConfig({ ephemerals, workspaceRoot });
  });
  return [...new Map(configs.map((config) => [JSON.stringify(config), config])).values()];
}

const moreSessions = (): string[] =>
  MORE !== '' && existsSync(MORE)
    ? readdirSync(MORE, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(jsonl?|traj|md)$/.test(name) && !/manifest|README/.test(name))
        .map((name) => path.join(MORE, name))
    : [];

test.skipIf(!haveRealSessions)(
  'the incremental optimiser finds what the plain rules find in every recorded session as it grows, by every policy',
  () => {
    let edits = 0;
    for (const file of [...sessionsOfEveryFormat(), ...moreSessions()]) {
      const bytes = readFileSync(file);
      const format = detectFormat(bytes.subarray(0, 256 * 1024).toString());
      const session = format.read(linesOf(() => [bytes]));
      const { vocabulary } = format;
      const history = liveHistory(session);
      for (const config of configsIn(session.workspaceRoot ?? '/')) {
        const incremental = new HighDensityStrategy({ vocabulary });
        for (const ratio of PREFIX_RATIOS) {
          const prefix = history.slice(0, Math.ceil(history.length * ratio));
          const plain = optimizePlainly(prefix, config, { vocabulary });
          const fast = incremental.optimize(prefix, config);
          if (!isDeepStrictEqual(fast, plain)) expect(fast, file).toEqual(plain);
          expect(countEdits(plain.edits!)).toEqual(plain.metadata);
          edits += plain.edits!.length;
        }
      }
    }
    expect(edits).toBeGreaterThan(isSampled ? 5_000 : 10_000);
  },
);
