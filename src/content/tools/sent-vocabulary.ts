import { VOCABULARIES } from '../vocabularies/index.ts';
import type { ToolVocabulary } from '../vocabularies/vocabulary.ts';

/** A vocabulary as a text that crosses to a thread: its name, or all of it as JSON; `undefined` if it is no plain data. */
export function sentVocabulary(vocabulary: ToolVocabulary): string | undefined {
  if (VOCABULARIES.get(vocabulary.name) === vocabulary) return vocabulary.name;
  try {
    return JSON.stringify({ name: vocabulary.name, tools: vocabulary.tools });
  } catch {
    return undefined;
  }
}

/** The vocabulary that was sent. */
export function receivedVocabulary(text: string): ToolVocabulary {
  return VOCABULARIES.get(text) ?? (JSON.parse(text) as ToolVocabulary);
}
