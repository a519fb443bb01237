import path from 'node:path';
import type { Said } from '../../../src/strict-provider/contract.ts';

const VERSIONS = 5;

/** One file is made, read and overwritten, so that each read is stale. */
export const fiveVersions =
  ({ isThinking = false } = {}) =>
  (folder: string): readonly Said[] => {
    const file = path.join(folder, 'alpha.txt');
    const steps = Array.from({ length: VERSIONS }, (_, version) => {
      const made = `for i in $(seq 300); do echo "line $i of version ${version}, an ordinary line"; done > alpha.txt`;
      return [
        { name: 'Bash', input: { command: made, description: 'Makes it' } },
        { name: 'Read', input: { file_path: file } },
        { name: 'Write', input: { file_path: file, content: `short ${version}\n` } },
      ];
    });
    return steps.flat().map((call) => ({ ...(isThinking && { thinking: 'I go on.' }), calls: [call] }));
  };

/** How many of the five versions a prompt has. */
export const versionsIn = (prompt: string): number =>
  Array.from({ length: VERSIONS }, (_, version) => `line 1 of version ${version}, an ordinary line`).filter((line) =>
    prompt.includes(line),
  ).length;

/** All five are in it. */
export const hasAllVersions = (prompt: string): boolean => versionsIn(prompt) === VERSIONS;

/** So many reads of about 13,000 tokens, each stale by a write after it. */
export const largeReads =
  (count: number, { isThinking = false } = {}) =>
  (folder: string): readonly Said[] => {
    const file = path.join(folder, 'alpha.txt');
    return Array.from({ length: count }, (_, at) => ({
      ...(isThinking && { thinking: 'I go on.' }),
      calls: [
        {
          name: 'Bash',
          input: {
            command: `seq -f 'line %g of version ${at}, an ordinary line' 900 > alpha.txt`,
            description: 'Makes it',
          },
        },
        { name: 'Read', input: { file_path: file } },
        { name: 'Write', input: { file_path: file, content: `short ${at}\n` } },
      ],
    }));
  };
