import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { promptFiles } from '../../src/settings/prompt-files.ts';
import { getCompressionPrompt } from '../../src/strategies/prompts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'prompts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const resolve = (promptId = 'compression'): Promise<string> => promptFiles.resolve(promptId, folder);

describe('prompt files (REQ-HD-010.5)', () => {
  test('the default prompt is used without a file, also without a folder', async () => {
    expect(await resolve()).toBe(getCompressionPrompt());
    expect(await promptFiles.resolve('compression', path.join(folder, 'nowhere'))).toBe(getCompressionPrompt());
  });

  test('a user file overrides the default', async () => {
    writeFileSync(path.join(folder, 'compression.md'), 'Say it in verse.');
    expect(await resolve()).toBe('Say it in verse.');
  });

  test('a file that is empty or cannot be read is an error, not the default', async () => {
    writeFileSync(path.join(folder, 'compression.md'), ' \n');
    await expect(resolve()).rejects.toMatchObject({ code: 'PROMPT_RESOLUTION_FAILED' });
    mkdirSync(path.join(folder, 'other.md'));
    await expect(resolve('other')).rejects.toMatchObject({ code: 'PROMPT_RESOLUTION_FAILED' });
    await expect(resolve('unheard-of')).rejects.toThrow(/unheard-of/);
  });

  test('a prompt is read only from its folder', async () => {
    await expect(resolve('../compression')).rejects.toMatchObject({ code: 'PROMPT_RESOLUTION_FAILED' });
  });
});
