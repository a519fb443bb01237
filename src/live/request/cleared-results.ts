import { asText, isRecord } from '../../content/foreign-value.ts';
import type { RequestList } from './request-list.ts';

/**
 * True if a request lets its provider clear old results before its model reads them: nothing says which, and a reference may name one.
 * Source: https://platform.claude.com/docs/en/build-with-claude/context-editing
 */
export function letsClearResults(list: RequestList): boolean {
  const management = list.field('context_management');
  const edits = isRecord(management) ? management['edits'] : undefined;
  return (
    Array.isArray(edits) && edits.some((edit) => isRecord(edit) && asText(edit['type']).startsWith('clear_tool_uses'))
  );
}
