import type { ToolCallBlock } from '../../../content/content.ts';
import { callRole } from '../../../content/tools/call-role.ts';
import { toolDefinition } from '../../../content/tools/tool-definition.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import { printedKinds } from './commands.ts';
import type { Printing } from './shaper.ts';

/** What a call prints, by its tool and its command. */
export const printingOf = (vocabulary: ToolVocabulary, call: ToolCallBlock): Printing => ({
  role: callRole(vocabulary, call),
  prints: printedKinds(call, vocabulary),
  numbersLines: toolDefinition(vocabulary, call)?.numbersLines === true,
});
