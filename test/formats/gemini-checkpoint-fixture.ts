import type { FormatSample } from '../contracts/format.ts';

export const user = (...parts: readonly unknown[]) => ({ role: 'user', parts });
export const model = (...parts: readonly unknown[]) => ({ role: 'model', parts });
export const call = (name: string, args: unknown, id?: string) => ({ functionCall: { ...(id && { id }), name, args } });
export const answer = (name: string, response: unknown, id?: string) => ({
  functionResponse: { ...(id && { id }), name, response },
});

export const TURNS = [
  user({ text: 'This is the Gemini CLI. We are in /repo/demo.' }),
  model({ text: 'Got it.' }),
  user({ text: 'What do a.ts and b.png show? ✗' }),
  model(
    { text: 'Two files, one a picture.', thought: true, thoughtSignature: 'c2ln' },
    { text: 'I read both.' },
    { ...call('read_file', { file_path: 'a.ts' }), thoughtSignature: 'c2lnMg==' },
    call('read_file', { file_path: 'b.png' }),
    call('replace', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }),
  ),
  user(
    answer('read_file', { output: 'export const a = 1;\n' }),
    answer('read_file', { output: 'Binary content provided.' }),
    { inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } },
    answer('replace', { error: 'Failed to edit, 0 occurrences found.' }),
  ),
  model({ text: 'One constant, one picture.' }, { executableCode: { language: 'PYTHON', code: 'print(1)' } }),
  user({ text: 'Thanks.' }),
];

export const IDENTIFIED = [
  user({ text: 'Run the tests.' }),
  model(call('run_shell_command', { command: 'npm test' }, 'c1'), call('glob', { pattern: '*.ts' }, 'c2')),
  user(
    answer('glob', { files: ['a.ts'], count: 1 }, 'c2'),
    answer('run_shell_command', { output: '1 failed', error: 'exit 1' }, 'c1'),
  ),
  model(call('run_shell_command', { command: 'sleep 1000' }, 'c3')),
];

/** Invented checkpoints: indented, compact without ids, and one that was made before an edit. */
export const geminiCheckpointSample: FormatSample = {
  shape: 'document',
  texts: [
    `${JSON.stringify({ history: TURNS, authType: 'oauth-personal' }, null, 2)}\n`,
    JSON.stringify({ history: TURNS }),
    JSON.stringify({
      toolCall: { name: 'replace', args: {} },
      commitHash: 'abc',
      history: [{ type: 'user', text: 'Run the tests.' }],
      clientHistory: IDENTIFIED,
    }),
  ],
  holds: ['error', 'media'],
  idsArePlaces: true,
};
