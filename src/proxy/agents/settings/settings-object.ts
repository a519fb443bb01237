import { type ParseError, parse } from 'jsonc-parser';
import { isRecord } from '../../../content/foreign-value.ts';
import { regularFileText } from '../../../disk/regular-file.ts';
import { CompressionStrategyError, codeOf } from '../../../errors.ts';

/** Settings of an agent: JSON, with comments where the agent allows them. @throws CompressionStrategyError `USAGE` if broken. */
export function settingsObject(text: string, source: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length === 0 && isRecord(value)) return value;
  throw new CompressionStrategyError(`Expected ${source} to be a JSON object, got ${text.slice(0, 60)}.`, 'USAGE');
}

/** The settings in a file; undefined if there is none. @throws as `settingsObject`. */
export async function settingsFile(file: string): Promise<Record<string, unknown> | undefined> {
  try {
    return settingsObject(regularFileText(file), file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The value at a path of keys; undefined where there is none. */
export function valueAt(settings: Record<string, unknown> | undefined, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), settings);
}

/** The text at a path of keys; undefined where there is none. */
export function textAt(settings: Record<string, unknown> | undefined, ...keys: readonly string[]): string | undefined {
  const value = valueAt(settings, keys);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The base URLs that models have themselves; they win over those of their providers. */
export const modelUrls = (models: unknown): string[] =>
  Array.isArray(models) ? models.flatMap((model) => (isRecord(model) && textAt(model, 'baseUrl')) || []) : [];

/** The models, each such URL replaced by what `replace` makes of it. */
export const withModelUrls = (models: unknown, replace: (url: string) => string): unknown =>
  !Array.isArray(models)
    ? models
    : models.map((model: unknown) => {
        const [url] = modelUrls([model]);
        return url === undefined ? model : { ...(model as object), baseUrl: replace(url) };
      });
