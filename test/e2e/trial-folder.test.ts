import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { atifSample } from '../formats/atif-fixture.ts';
import { Computer } from './density.ts';

/** The folder of a trial, with these files of its verifier. */
function trial(verifier: Readonly<Record<string, string>>): { computer: Computer; folder: string } {
  const computer = new Computer();
  const folder = path.join(computer.home, 'trial-1');
  const files = { 'agent/trajectory.json': atifSample.texts[0]!, 'result.json': '{}', ...verifier };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { computer, folder };
}

describe('the folder of a trial', () => {
  test('is its trajectory, with its rewards', async () => {
    const { computer, folder } = trial({ 'verifier/reward.json': '{"reward":0.75,"style":1,"note":"x"}' });
    const { code, out } = await computer.run(['inspect', folder]);
    expect(code).toBe(0);
    expect(out).toContain('The trial got reward 0.75, style 1.');
    const json = JSON.parse((await computer.run(['inspect', folder, '--json'])).out);
    expect(json).toMatchObject({ format: 'atif', rewards: { reward: 0.75, style: 1 } });
  });

  test.each([
    ['a number alone', { 'verifier/reward.txt': '1\n' }, { reward: 1 }],
    ['no number', { 'verifier/reward.txt': 'failed\n' }, undefined],
    ['nothing', {}, undefined],
  ])('has what its verifier wrote: %s', async (_, verifier, rewards) => {
    const { computer, folder } = trial(verifier);
    expect(JSON.parse((await computer.run(['inspect', folder, '--json'])).out).rewards).toEqual(rewards);
  });
});
