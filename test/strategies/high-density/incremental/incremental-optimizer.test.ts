import { expect, test } from 'vitest';
import type { FileAccessOf } from '../../../../src/content/files/cached-file-access.ts';
import { fileAccess } from '../../../../src/content/files/file-access.ts';
import { llxprt } from '../../../../src/content/vocabularies/llxprt.ts';
import { IncrementalOptimizer } from '../../../../src/strategies/high-density/incremental/incremental-optimizer.ts';
import { optimizePlainly } from '../../../../src/strategies/high-density/optimize-plainly.ts';

const call = (id: string, name: string) =>
  ({
    speaker: 'ai',
    blocks: [{ type: 'tool_call', id, name, parameters: { absolute_path: '/a.ts', content: '' } }],
  }) as const;
const result = (callId: string, toolName: string) =>
  ({ speaker: 'tool', blocks: [{ type: 'tool_response', callId, toolName, result: 'text' }] }) as const;
const HISTORY = [call('1', 'read_file'), result('1', 'read_file'), call('2', 'write_file'), result('2', 'write_file')];

test('no call is read while every rule is off, and all are once one is on', () => {
  let read = 0;
  const counted: FileAccessOf = (...given) => {
    read++;
    return fileAccess(...given);
  };
  const optimizer = new IncrementalOptimizer({ vocabulary: llxprt, fileAccess: counted });
  const off = { readWritePruning: false, fileDedupe: false, recencyPruning: false };
  expect(optimizer.optimize(HISTORY, off)).toEqual(optimizePlainly(HISTORY, off, { vocabulary: llxprt }));
  expect(read).toBe(0);
  const on = { ...off, readWritePruning: true };
  expect(optimizer.optimize(HISTORY, on)).toEqual(optimizePlainly(HISTORY, on, { vocabulary: llxprt }));
  expect(optimizer.optimize(HISTORY, on).removals).toEqual([0, 1]);
  expect(read).toBe(2);
});
