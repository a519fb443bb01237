import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { unpricedModels } from '../../../src/lab/files/unpriced-models.ts';
import { sessionText } from '../../e2e/density.ts';

test('are the models of sessions that have no price, most sessions first; a file that is no session is left out', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'density-unpriced-'));
  try {
    const session = (name: string, ...models: readonly string[]): string => {
      const file = path.join(folder, `${name}.jsonl`);
      const entries = models.flatMap((model, at): IContent[] => [
        { speaker: 'human', blocks: [{ type: 'text', text: 'Go on.' }], metadata: { id: `h${at}` } },
        { speaker: 'ai', blocks: [{ type: 'text', text: 'Done.' }], metadata: { id: `a${at}`, model } },
      ]);
      writeFileSync(file, sessionText(entries));
      return file;
    };
    const noSession = path.join(folder, 'none.jsonl');
    writeFileSync(noSession, 'no session\n');
    const files = [
      session('one', 'gpt-9', 'claude-sonnet-4-5', 'gpt-9'),
      session('two', 'other-model', 'gpt-9'),
      session('three', 'claude-opus-5'),
      noSession,
    ];
    expect([...unpricedModels(files)]).toEqual([
      ['gpt-9', 2],
      ['other-model', 1],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
