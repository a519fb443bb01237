import { readFile } from 'node:fs/promises';
import path from 'node:path';
import envPaths from 'env-paths';
import { PromptResolutionError } from '../errors.ts';
import type { PromptResolver } from '../strategies/contract.ts';
import { COMPRESSION_PROMPT_ID, getCompressionPrompt } from '../strategies/prompts.ts';

const DEFAULTS: Readonly<Record<string, () => string>> = { [COMPRESSION_PROMPT_ID]: getCompressionPrompt };

/** The folder of the user's own prompts; respects `XDG_CONFIG_HOME`. */
export const promptsFolder = (): string => path.join(envPaths('high-density', { suffix: '' }).config, 'prompts');

/**
 * Resolves a prompt to the text of `<folder>/<prompt>.md` if that file exists, else to the default of this package.
 * @throws PromptResolutionError from `resolve`, if neither exists, or the file is empty or cannot be read.
 * Source: REQ-HD-010.5; docs/readings.md, row 32.
 */
export const promptFiles: PromptResolver = {
  async resolve(promptId, folder) {
    const file = path.join(folder, `${path.basename(promptId)}.md`);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new PromptResolutionError(promptId, error);
    });
    if (text?.trim() === '') throw new PromptResolutionError(promptId, new Error(`${file} is empty`));
    const prompt = text ?? DEFAULTS[promptId]?.();
    if (prompt === undefined) throw new PromptResolutionError(promptId, new Error(`there is no ${file}`));
    return prompt;
  },
};
