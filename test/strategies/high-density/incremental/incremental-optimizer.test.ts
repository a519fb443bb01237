import { expect, test } from 'vitest';
import type { FileAccessOf } from '../../../../src/content/files/cached-file-access.ts';
import { fileAccess } from '../../../../src/content/files/file-access.ts';
import { claudeCode } from '../../../../src/content/vocabularies/claude-code.ts';
import { llxprt } from '../../../../src/content/vocabularies/llxprt.ts';
import { IncrementalOptimizer } from '../../../../src/strategies/high-density/incremental/incremental-optimizer.ts';
import { optimizePlainly } from '../../../../src/strategies/high-density/optimize-plainly.ts';
import { densityRules } from '../../../../src/strategies/settings/rule-settings.ts';

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

/** A read of a file from a line on, and the lines that it shows. */
const read = (id: string, offset: number, lines: string) => [
  {
    speaker: 'ai',
    blocks: [{ type: 'tool_call', id, name: 'Read', parameters: { file_path: '/a.ts', offset } }],
  } as const,
  {
    speaker: 'tool',
    blocks: [
      {
        type: 'tool_response',
        callId: id,
        toolName: 'Read',
        result: [...lines].map((one) => `the line ${one}`).join('\n'),
      },
    ],
  } as const,
];

test.each([
  ['a read with the same request shows other lines', [read('1', 1, 'abcd'), read('2', 2, 'ab'), read('3', 1, 'wxyz')]],
  ['the read that showed its lines is superseded', [read('1', 1, 'ab'), read('2', 2, 'abcd'), read('3', 2, 'cdef')]],
])('a read is decided on again if %s', (_, reads) => {
  const rules = densityRules(
    (row) => row.key === 'compression.density.supersededReads' || ('isList' in row ? [] : row.default),
  );
  const config = { readWritePruning: false, fileDedupe: false, recencyPruning: false, rules };
  const optimizer = new IncrementalOptimizer({ vocabulary: claudeCode });
  const results = reads.map((__, at) => {
    const history = reads.slice(0, at + 1).flat();
    const found = optimizer.optimize(history, config);
    expect(found).toEqual(optimizePlainly(history, config, { vocabulary: claudeCode }));
    return found.removals;
  });
  // The last read changes what becomes of the first one.
  expect(results.at(-1)!.includes(0)).not.toBe(results.at(-2)!.includes(0));
});
