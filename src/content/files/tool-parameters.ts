import { asText, type Fields, fieldOf, isList, isRecord } from '../foreign-value.ts';
import type { ToolDefinition } from '../vocabularies/vocabulary.ts';

/** The scripts, argument vectors or patches in the parameters of a call. */
export function parsedTexts(definition: ToolDefinition, parameters: unknown): (string | readonly string[])[] {
  if (typeof parameters === 'string') return [parameters];
  if (!isRecord(parameters)) return [];
  for (const key of definition.textKeys ?? []) {
    const value = fieldOf(parameters, key);
    if (typeof value === 'string' && value !== '') return [value];
    if (isTextList(value) && value.length > 0) return [value];
  }
  return listedPaths(parameters, definition.listKeys).paths;
}

/** The first of these parameters that is a non-empty string. */
export function firstText(parameters: Fields, keys: readonly string[] = []): string | undefined {
  for (const key of keys) {
    const value = asText(fieldOf(parameters, key));
    if (value !== '') return value;
  }
  return undefined;
}

/** The values of these parameters that are non-empty strings. */
export const textsAt = (parameters: Fields, keys: readonly string[] = []): string[] =>
  keys.flatMap((key) => firstText(parameters, [key]) ?? []);

/** The paths in these list parameters; `isComplete`: every element is a string or a `{ path }`. */
export function listedPaths(
  parameters: Readonly<Record<string, unknown>>,
  keys: readonly string[] = [],
): { paths: string[]; isComplete: boolean } {
  const paths: string[] = [];
  let isComplete = true;
  for (const key of keys) {
    const value = fieldOf(parameters, key);
    if (value === undefined) continue;
    for (const element of isList(value) ? value : [value]) {
      const path: unknown = isRecord(element) ? fieldOf(element, 'path') : element;
      if (typeof path === 'string') paths.push(path);
      else isComplete = false;
    }
  }
  return { paths, isComplete };
}

const isTextList = (value: unknown): value is readonly string[] =>
  isList(value) && value.every((element) => typeof element === 'string');
