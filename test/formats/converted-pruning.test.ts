import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { convertSession } from '../../src/formats/convert.ts';
import { detectFormat, formatNamed } from '../../src/formats/index.ts';
import { linesOf } from '../../src/formats/lines/lines.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { haveRealSessions, sessionsOfFirstFolder } from '../real-sessions.ts';

/**
 * Only their own vocabularies know that each command starts in the workspace (a relative path is then certain), or which
 * file `open`, `goto` and `edit` of SWE-agent mean. After a conversion fewer of their reads are certain, so fewer are removed.
 */
const KNOW_MORE: ReadonlySet<string> = new Set(['mini-swe-agent', 'opencode', 'pi', 'swe-agent']);
const TARGETS = ['openai-chat', 'ai-sdk-messages', 'gemini-api', 'claude-code'] as const;

test.skipIf(!haveRealSessions)(
  'as many reads are stale after a conversion as before it, but for what only the agent itself knows',
  () => {
    let stale = 0;
    let lost = 0;
    const different: string[] = [];
    for (const file of sessionsOfFirstFolder()) {
      const bytes = readFileSync(file);
      const format = detectFormat(bytes.subarray(0, 256 * 1024).toString());
      const session = format.read(linesOf(() => [bytes]));
      const workspaceRoot = session.workspaceRoot ?? '/';
      const staleReads = (history: readonly IContent[], { vocabulary } = format): number =>
        getCompressionStrategy('high-density', { vocabulary }).optimize?.(history, {
          readWritePruning: true,
          fileDedupe: false,
          recencyPruning: false,
          recencyRetention: 0,
          workspaceRoot,
        })?.metadata.readWritePairsPruned ?? 0;
      const recorded = staleReads(liveHistory(session));
      stale += recorded;
      for (const name of TARGETS) {
        const target = formatNamed(name);
        const { pieces } = convertSession(session, target, {
          id: '6f1c1f0e-3b0c-4c35-9d0a-0f7c2a4f9b11',
          model: 'm',
          workspaceRoot,
          startedAt: 0,
        });
        const converted = staleReads(liveHistory(target.read(linesOf(() => pieces))), target);
        if (KNOW_MORE.has(format.name) && converted < recorded) lost += recorded - converted;
        else if (converted !== recorded) different.push(`${path.basename(file)} → ${name}: ${recorded} → ${converted}`);
      }
    }
    expect(different).toEqual([]);
    expect(stale).toBeGreaterThan(100);
    expect(lost / (stale * TARGETS.length)).toBeLessThan(0.05);
  },
);
