import { describe, expect, test } from 'vitest';
import { readsLikeFailure } from '../../../src/content/calls/failure-text.ts';
import { createToolResponse, type IContent, type ToolCallBlock } from '../../../src/content/content.ts';
import { anyAgent } from '../../../src/content/vocabularies/vocabulary.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';
import { optimizePlainly } from '../../../src/strategies/high-density/optimize-plainly.ts';

const response = (result: unknown) => createToolResponse('1', 'edit', result).blocks[0];

describe('the text of a result without an error flag', () => {
  test.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected",
    '<tool_use_error>String to replace not found in file.',
    'Error: ENOENT',
    'File src/a.ts has not been read yet. Read it first before writing to it.',
    'Failed to apply the patch',
    'Permission denied',
  ])('reads like a failure: %s', (text) => {
    const block = response(text);
    expect(block?.type === 'tool_response' && readsLikeFailure(block)).toBe(true);
  });

  test.each(['The file src/a.ts has been updated.', 'Applied 1 edit.', 'ok', '', undefined, { ok: true }])(
    'does not: %s',
    (result) => {
      const block = response(result);
      expect(block?.type === 'tool_response' && readsLikeFailure(block)).toBe(false);
    },
  );
});

describe('a rejected edit in a format without error flags (docs/readings.md, row 2)', () => {
  const call = (id: string, name: string, parameters: unknown): IContent => ({
    speaker: 'ai',
    blocks: [{ type: 'tool_call', id, name, parameters } satisfies ToolCallBlock],
  });
  const history = (answer: string): IContent[] => [
    call('1', 'Read', { file_path: '/w/a.ts' }),
    createToolResponse('1', 'Read', 'const a = 1;'),
    call('2', 'Edit', { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' }),
    createToolResponse('2', 'Edit', answer),
  ];
  const config = {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: false,
    recencyRetention: 3,
    workspaceRoot: '/w',
  };

  test.each([
    ["The user doesn't want to proceed with this tool use.", 0],
    ['The file /w/a.ts has been updated.', 1],
  ])('%s: %d pairs are removed', (answer, pairs) => {
    const strategy = new HighDensityStrategy({ vocabulary: anyAgent });
    const given = history(answer);
    expect(strategy.optimize(given, config).metadata.readWritePairsPruned).toBe(pairs);
    expect(optimizePlainly(given, config, { vocabulary: anyAgent }).metadata.readWritePairsPruned).toBe(pairs);
  });
});
