import { VOCABULARIES } from '../vocabularies/index.ts';
import type { ToolVocabulary } from '../vocabularies/vocabulary.ts';

/** A vocabulary as a text that crosses to a thread: its name, or all of it as JSON; `undefined` if it is no plain data. */
export function sentVocabulary(vocabulary: ToolVocabulary): string | undefined {
  if (VOCABULARIES.get(vocabulary.name) === vocabulary) return vocabulary.name;
  try {
    const { name, tools, hidesFailures } = vocabulary;
    return JSON.stringify({ name, tools, hidesFailures });
  } catch {
    return undefined;
  }
}

/** The vocabulary that was sent. */
export function receivedVocabulary(text: string): ToolVocabulary {
  return VOCABULARIES.get(text) ?? (JSON.parse(text) as ToolVocabulary);
}
