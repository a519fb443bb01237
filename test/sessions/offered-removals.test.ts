import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileBytes } from '../../src/disk/file-bytes.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { makeSmaller } from '../../src/replay/smaller.ts';
import { optimizeConfig } from '../../src/sessions/prunable.ts';
import { readSession } from '../../src/sessions/read-session.ts';
import { inspectionOf } from '../../src/sessions/session-inspection.ts';
import { BUILT_IN_PROFILES } from '../../src/settings/built-in-profiles.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { haveRealSessions, modernSessions, sessionsOfEveryFormat } from '../real-sessions.ts';

const FILES = [...sessionsOfEveryFormat(), ...modernSessions()];

describe.runIf(haveRealSessions)('a recorded session', () => {
  test.each(FILES.map((file) => [path.basename(file), file]))(
    '%s loses by optimize what inspect offers',
    async (_, file) => {
      const read = readSession(fileBytes(file));
      const { session, format } = read;
      const model = session.model ?? 'unknown';
      for (const settings of Object.values(BUILT_IN_PROFILES)) {
        const ephemerals = createEphemerals([settings], { model });
        const { removals, removableTokens } = inspectionOf(read, { optimize: optimizeConfig(ephemerals) });
        const made = await makeSmaller(liveHistory(session), {
          model,
          ephemerals,
          engine: 'inline',
          workspaceRoot: session.workspaceRoot ?? '/',
          createStrategy: (name) => getCompressionStrategy(name, { vocabulary: format.vocabulary }),
          compress: false,
        });
        expect(removals).toEqual(made.removals);
        expect(removableTokens).toBe(made.tokensBefore - made.tokensAfter);
      }
    },
  );
});
