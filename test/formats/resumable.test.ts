import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../src/content/content.ts';
import type { SessionFormat } from '../../src/formats/contract.ts';
import { SESSION_FORMATS } from '../../src/formats/index.ts';
import { applyEdits } from '../../src/history/apply.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { historyOf, rewritten } from '../contracts/format.ts';
import { expectResumable } from '../contracts/resumable.ts';
import { haveRealSessions, realSessions } from '../real-sessions.ts';
import { CHECKLISTS, resumableFacts } from './resumable-facts.ts';
import { SAMPLES } from './samples.ts';

const HEAD_CHARACTERS = 256 * 1024;
const FOLDERS = ['anthropic-messages', 'claude-code', 'cline-roo', 'codex', 'copilot-cli', 'gemini', 'openai-chat'];
const MORE_FOLDERS = ['opencode', 'pi'];

/** What `density optimize` makes of a history, with every rule on. */
function optimised({ vocabulary }: SessionFormat, before: readonly IContent[]): IContent[] {
  const result = getCompressionStrategy('high-density', { vocabulary }).optimize?.(before, {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: true,
    recencyRetention: 1,
    workspaceRoot: '/home/dev/demo',
  });
  return result ? applyEdits(before, result) : [...before];
}

/** The history without every second pair of call and result, and with shorter results. */
function smaller(history: readonly IContent[]): IContent[] {
  const ids = history.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'tool_call' ? block.id : [])));
  const isGone = (id: string): boolean => ids.indexOf(id) % 2 === 1;
  return history.flatMap((entry) => {
    const hasGone = entry.blocks.some((block) => block.type === 'tool_response' && isGone(block.callId));
    const blocks = entry.blocks.flatMap((block): ContentBlock[] => {
      if (block.type === 'tool_call') return isGone(block.id) ? [] : [block];
      if (block.type === 'media' && hasGone) return [];
      if (block.type !== 'tool_response') return [block];
      return isGone(block.callId) ? [] : [{ ...block, result: 'gone' }];
    });
    return blocks.length === 0 ? [] : [{ ...entry, blocks }];
  });
}

const NEWS: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'So far.' }] };

/** The one check of every written file: an agent can go on with it as it could with the file before. */
function expectResumableAfterEdits(format: SessionFormat, text: string): void {
  const history = historyOf(format, text);
  const before = resumableFacts(format.name, text);
  for (const after of [optimised(format, history), smaller(history), [...history, NEWS]])
    expectResumable(before, resumableFacts(format.name, rewritten(format, text, after)));
}

describe('an agent can go on with what was written: identity, ids in order, parents, pairs, signatures, numbers', () => {
  const writable = SESSION_FORMATS.filter(({ write }) => write !== undefined);

  test('there is a checklist of every format that can be written', () => {
    expect(Object.keys(CHECKLISTS).sort()).toEqual(writable.map(({ name }) => name).sort());
  });

  test.each(writable.map((format) => [format.name, format] as const))('%s, invented sessions', (name, format) => {
    const { texts = [] } = SAMPLES[name] ?? {};
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expectResumableAfterEdits(format, text);
  });

  const recorded = realSessions(...FOLDERS, ...MORE_FOLDERS).map((file) => [path.basename(file), file] as const);

  test.runIf(haveRealSessions).each(recorded)('%s', (_, file) => {
    const text = readFileSync(file, 'utf8');
    const format = writable.find((candidate) => candidate.detect(text.slice(0, HEAD_CHARACTERS)));
    expect(format).toBeDefined();
    if (format) expectResumableAfterEdits(format, text);
  });

  test('and a file that breaks one of these is found out', () => {
    const [text = ''] = SAMPLES['claude-code']?.texts ?? [];
    const before = resumableFacts('claude-code', text);
    const rows = text.trimEnd().split('\n');
    const spoilt: Record<string, string> = {
      'a parent that is gone': rows.toSpliced(2, 1).join('\n'),
      'lines out of order': rows.with(2, rows[3]!).with(3, rows[2]!).join('\n'),
      'a result without its call': text.replace('"tool_use_id":"', '"tool_use_id":"x'),
      'a signature that changed': text.replace('"signature":"', '"signature":"x'),
      'another session': text.replaceAll('5e551011', '5e551012'),
    };
    for (const [what, file] of Object.entries(spoilt)) {
      expect(file, what).not.toBe(text);
      expect(() => expectResumable(before, resumableFacts('claude-code', file)), what).toThrow();
    }
  });
});
