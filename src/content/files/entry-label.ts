import type { ContentBlock, IContent, ToolCallBlock } from '../content.ts';
import { oneLine } from '../lines/one-line.ts';
import type { ToolVocabulary } from '../vocabularies/vocabulary.ts';
import { keyParameter } from './file-access.ts';

const LABEL_CHARACTERS = 120;

/** The call that a response answers, as far as it is known. */
export type CallOf = (response: ContentBlock) => ToolCallBlock | undefined;

/** What a person would call an entry: its first tool and that tool's file or command, else its first words. */
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

/** A tool and what it is about: its file, command or pattern. */
export function labelOfCall(call: ToolCallBlock, vocabulary: ToolVocabulary): string {
  // The folder that a command starts in says little about what it did.
  const key = keyParameter(call, vocabulary)?.replace(/^cd \S+ && /, '');
  return key === undefined ? call.name : `${call.name} ${key}`;
}
