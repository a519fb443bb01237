import { ContentValidation, type IContent } from '../../content/content.ts';

/** All human and tool entries, and the ai entries that say something; the same objects in a new array. */
export function curate(history: readonly IContent[]): IContent[] {
  return history.filter((entry) => entry.speaker !== 'ai' || ContentValidation.hasContent(entry));
}
