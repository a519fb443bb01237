import type { ToolVocabulary } from '../vocabularies/vocabulary.ts';

/** A vocabulary as JSON that crosses to a thread; `undefined` if it is no plain data. */
export function sentVocabulary({ name, tools, hidesFailures }: ToolVocabulary): string | undefined {
  try {
    return JSON.stringify({ name, tools, hidesFailures });
  } catch {
    return undefined;
  }
}

/** The vocabulary that was sent. */
export const receivedVocabulary = (text: string): ToolVocabulary => JSON.parse(text) as ToolVocabulary;
