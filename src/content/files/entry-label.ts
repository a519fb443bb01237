import type { ContentBlock, IContent, ToolCallBlock } from '../content.ts';
import { oneLine } from '../lines/one-line.ts';
import type { ToolVocabulary } from '../vocabularies/vocabulary.ts';
import { keyParameter } from './key-parameter.ts';

const LABEL_CHARACTERS = 120;

/** Finds the call of a result; `undefined` if it is unknown. */
export type CallOf = (response: ContentBlock) => ToolCallBlock | undefined;

/** A short name for an entry: its first tool with its file or command, or else its first words. */
export function labelOfEntry(entry: IContent, vocabulary: ToolVocabulary, callOf: CallOf): string {
  const labels = entry.blocks.map((block) => labelOfBlock(block, vocabulary, callOf));
  const parts = labels.filter((label) => label.trim() !== '');
  const more = parts.length > 1 ? ` (+${parts.length - 1})` : '';
  return `${oneLine(parts[0] ?? '', LABEL_CHARACTERS)}${more}`;
}

function labelOfBlock(block: ContentBlock, vocabulary: ToolVocabulary, callOf: CallOf): string {
  switch (block.type) {
    case 'tool_call':
      return labelOfCall(block, vocabulary);
    case 'tool_response': {
      const call = callOf(block);
      return call === undefined ? block.toolName : labelOfCall(call, vocabulary);
    }
    case 'text':
      return block.text;
    case 'thinking':
      return block.thought;
    case 'media':
      return block.filename ?? block.mimeType;
    case 'code':
      return block.code;
  }
}

/** The name of a tool with its file, command or pattern. */
export function labelOfCall(call: ToolCallBlock, vocabulary: ToolVocabulary): string {
  // The folder in which a command starts says little about what it does.
  const key = keyParameter(call, vocabulary)?.replace(/^cd \S+ && /, '');
  return key === undefined ? call.name : `${call.name} ${key}`;
}
