import type { ContentBlock, IContent } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { responseText } from '../anthropic/anthropic-content.ts';
import { fencedCode } from '../blocks/opaque-block.ts';
import type { Line } from '../contract.ts';
import { jsonText } from '../json/json-text.ts';
import { followConversation } from './conversation.ts';
import { readRecording } from './recording.ts';
import { draftContent } from './write/draft.ts';

/** What one block says to a model, however it is written down. */
function saidBy(block: ContentBlock): readonly string[] {
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

function saidIn(history: readonly IContent[]): (readonly string[])[] {
  return history.flatMap(({ speaker, blocks }) => blocks.map((block) => [speaker, ...saidBy(block)]));
}

/**
 * Refuses a session file that does not say what was to be written: nothing is ever lost without a word.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` naming the first difference.
 */
export function assertSays(lines: Iterable<Line>, history: readonly IContent[]): void {
  const expected = saidIn(history);
  const found = saidIn(followConversation(readRecording(lines)).live.map(draftContent));
  const isSame = (index: number): boolean =>
    expected[index]?.length === found[index]?.length &&
    (expected[index] ?? []).every((part, at) => part === found[index]?.[at]);
  const length = Math.max(expected.length, found.length);
  for (let index = 0; index < length; index++) {
    if (isSame(index)) continue;
    const show = (said: readonly string[] | undefined): string => said?.join(' ').slice(0, 60) ?? 'nothing';
    throw new CompressionStrategyError(
      `Expected a session that says ${JSON.stringify(show(expected[index]))} at block ${index} when it is read back, got ${JSON.stringify(show(found[index]))}. The file is not written.`,
      'SESSION_NOT_WRITABLE',
    );
  }
}
