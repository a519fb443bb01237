import { vocabularyWithListed } from '../../content/tools/own-tools.ts';
import type { UnknownTool } from '../../content/tools/unknown-tools.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import { counted } from '../../report/figures.ts';
import type { Ephemerals } from '../../strategies/contract.ts';
import { printable } from '../terminal/terminal.ts';

/** The tools of a format with those that the settings list. */
export const toolsInForce = (vocabulary: ToolVocabulary, ephemerals: Ephemerals): ToolVocabulary =>
  vocabularyWithListed(ephemerals.densityRules?.()?.tools ?? [], vocabulary);

/** Names in a line of a report. */
const NAMES_AT_MOST = 5;

/** "5 tools not known: a, b, …"; '' if all are known. */
export function unknownToolsText(tools: readonly UnknownTool[]): string {
  if (tools.length === 0) return '';
  const names = tools.slice(0, NAMES_AT_MOST).map(({ name }) => printable(name));
  const calls = tools.reduce((sum, tool) => sum + tool.calls, 0);
  const more = tools.length > names.length ? ', …' : '';
  return `${counted(tools.length, 'tool')} not known: ${names.join(', ')}${more} (${counted(calls, 'call')})`;
}
