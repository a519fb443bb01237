import { describe, expect, test } from 'vitest';
import { geminiApi } from '../../../src/formats/gemini/gemini-api.ts';
import { detectFormat } from '../../../src/formats/index.ts';
import { historyOf } from '../../contracts/format.ts';
import { geminiApiSample } from '../gemini-api-fixture.ts';
import { session, words } from '../words.ts';

const [body, bare = '', identified = ''] = geminiApiSample.texts;

describe('requests of the Gemini API', () => {
  test('name the model, the system instruction and the tools', () => {
    expect(session(geminiApi, body)).toMatchObject({
      model: 'gemini-x',
      systemText: 'You help.\n[{"functionDeclarations":[{"name":"read_file"}]}]',
    });
  });

  test('pair results by place, or by id where calls have one', () => {
    expect(words(historyOf(geminiApi, bare)).slice(4, 7)).toEqual([
      'tool export const a = 1;\n',
      'tool Binary content provided. + media',
      'tool (Failed to edit, 0 occurrences found.) ',
    ]);
    const [, , glob, shell] = historyOf(geminiApi, identified).map(({ blocks }) => blocks[0]);
    expect([glob, shell]).toMatchObject([
      { callId: 'c2', toolName: 'glob' },
      { callId: 'c1', error: 'exit 1', result: '1 failed' },
    ]);
  });

  test('are no checkpoints, and checkpoints are no requests', () => {
    expect(detectFormat(bare).name).toBe('gemini-api');
    expect(detectFormat(`{"history":${bare}}`).name).toBe('gemini-checkpoint');
  });
});
