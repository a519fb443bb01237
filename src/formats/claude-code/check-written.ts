import type { ContentBlock, IContent } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { fencedCode } from '../blocks/opaque-block.ts';
import { responseText } from '../blocks/tool-result.ts';
import type { Line } from '../contract.ts';
import { jsonText } from '../json/json-text.ts';
import { followConversation } from './conversation.ts';
import { readRecording } from './recording.ts';
import { draftContent } from './write/draft.ts';

/** The text of a block for a model, independent of its form in the file. */
function textsOfBlock(block: ContentBlock): readonly string[] {
  switch (block.type) {
    case 'text':
      return ['text', block.text];
    case 'code':
      return ['text', fencedCode(block)];
    case 'thinking':
      return ['thinking', block.encryptedContent ?? block.thought, block.signature ?? ''];
    case 'tool_call':
      return ['call', block.id, block.name, jsonText(block.parameters ?? {}, `parameters of call ${block.id}`)];
    case 'tool_response':
      return ['result', block.callId, String(block.error !== undefined), responseText(block)];
    case 'media':
      return ['media', block.data];
  }
}

function textsOfHistory(history: readonly IContent[]): (readonly string[])[] {
  return history.flatMap(({ speaker, blocks }) => blocks.map((block) => [speaker, ...textsOfBlock(block)]));
}

/**
 * Checks that a written session file contains `history`, so that no loss is silent.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` with the first difference.
 */
export function checkWritten(lines: Iterable<Line>, history: readonly IContent[]): void {
  const expected = textsOfHistory(history);
  const found = textsOfHistory(followConversation(readRecording(lines)).live.map(draftContent));
  const isSame = (index: number): boolean =>
    expected[index]?.length === found[index]?.length &&
    (expected[index] ?? []).every((part, at) => part === found[index]?.[at]);
  const length = Math.max(expected.length, found.length);
  for (let index = 0; index < length; index++) {
    if (isSame(index)) continue;
    const show = (texts: readonly string[] | undefined): string => texts?.join(' ').slice(0, 60) ?? 'nothing';
    throw new CompressionStrategyError(
      `Expected the written session to contain ${JSON.stringify(show(expected[index]))} at block ${index}, got ${JSON.stringify(show(found[index]))}. The file is not written.`,
      'SESSION_NOT_WRITABLE',
    );
  }
}
