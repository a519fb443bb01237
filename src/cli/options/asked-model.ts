import { InvalidArgumentError } from 'commander';
import { VENDORS } from '../../providers/vendors.ts';

/** A model that a person asks for on the command line. */
export interface AskedModel {
  /** As it was typed. */
  readonly text: string;
  /** The name of the API that serves it. */
  readonly provider: string;
  /** Absent: the provider's small model. */
  readonly name?: string;
}

/** Whose API serves a model by its name alone. */
const BY_NAME: readonly (readonly [name: RegExp, provider: string])[] = [
  [/^claude-/, 'anthropic'],
  [/^(?:gpt-|chatgpt-|codex|o\d)/, 'openai'],
  [/^gemini-/, 'google'],
];

/** Reads `claude-haiku-4-5`, `openai-compatible/qwen3` or, for a provider's small model, `openai`. @throws InvalidArgumentError */
export function parseAskedModel(text: string): AskedModel {
  const [prefix = '', ...rest] = text.split('/');
  const vendor = VENDORS.find(({ name }) => name === prefix);
  const name = rest.join('/');
  if (vendor !== undefined && (name !== '' || vendor.defaultModel !== undefined))
    return { text, provider: vendor.name, ...(name !== '' && { name }) };
  const [, provider] = BY_NAME.find(([pattern]) => pattern.test(text)) ?? [];
  if (provider !== undefined) return { text, provider, name: text };
  const names = VENDORS.map((one) => one.name).join(', ');
  throw new InvalidArgumentError(
    `Expected a model such as claude-haiku-4-5, or <provider>/<model> with one of ${names}.`,
  );
}
