import { readOr } from '../foreign-value.ts';
import type { ToolVocabulary } from '../vocabularies/vocabulary.ts';

/** A vocabulary as JSON that crosses to a thread; `undefined` if it is no plain data. */
export const sentVocabulary = ({ name, tools, hidesFailures }: ToolVocabulary): string | undefined =>
  readOr(() => JSON.stringify({ name, tools, hidesFailures }), undefined);

/** The vocabulary that was sent. */
export const receivedVocabulary = (text: string): ToolVocabulary => JSON.parse(text) as ToolVocabulary;
