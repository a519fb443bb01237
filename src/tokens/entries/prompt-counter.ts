import type { IContent } from '../../content/content.ts';
import { createTokenizer, type FamilyName, familyNamed } from '../index.ts';
import { familyOfModel } from '../models.ts';
import { countEntry } from './entry.ts';

/** Counts the parts of a model's prompts. */
export interface PromptCounter {
  readonly family: FamilyName;
  /** True if all of an answer is sent again, also what its text does not show. Source: docs/token-counting.md. */
  readonly keepsAnswers: boolean;
  ofText(text: string): number;
  ofEntry(entry: IContent): number;
}

/** A longer text counts by so many of its characters: counting them takes 6 ms where the code is cold, 1 ms later. */
const MAX_COUNTED = 64 * 1024;

/** A counter for the path of a running agent: exact, but for very long texts. */
export function promptCounter(model: string): PromptCounter {
  const family = familyOfModel(model);
  const { count } = createTokenizer(family);
  const ofText = (text: string): number =>
    text.length <= MAX_COUNTED
      ? count(text)
      : Math.round((count(text.slice(0, MAX_COUNTED)) * text.length) / MAX_COUNTED);
  const tokenizer = { family, count: ofText };
  return {
    family,
    keepsAnswers: familyNamed(family).keepsAnswers,
    ofText,
    ofEntry: (entry) => countEntry(entry, tokenizer),
  };
}
