import { errorOf } from '../../content/calls/error-of.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { counted } from '../../content/counted.ts';
import { jsonText } from '../../content/json-text.ts';
import { cutText, oneLine } from '../../content/lines/one-line.ts';

/** Kinds of text for a summariser, in the order in which they are shortened. */
export const PIECE_KINDS = ['result', 'thinking', 'call', 'answer', 'words'] as const;

export type PieceKind = (typeof PIECE_KINDS)[number];

/** A block as text for a summariser; `short` is its shortened form. */
export interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
  readonly short: string;
}

/** Characters kept at the start and the end of a shortened text. */
const SHORT_HEAD_CHARS = 240;
const SHORT_TAIL_CHARS = 120;
const LABEL_CHARS = 120;

/** Tags of the request to a summariser and of its answer. Recorded text must not open or close one. */
const FRAME_TAG =
  /<(?=\/?\s*(?:conversation|previous_snapshot|state_snapshot|active_todos|tool_output|scratchpad|unsupported)\b)/gi;

/** `text` without tags that could end the frame around it, so that instructions inside it cannot leave the frame. */
export function fenced(text: string): string {
  return text.replace(FRAME_TAG, '‹');
}

function shortened(text: string): string {
  const cutChars = text.length - SHORT_HEAD_CHARS - SHORT_TAIL_CHARS;
  if (cutChars < LABEL_CHARS) return text;
  const tail = text.slice(-SHORT_TAIL_CHARS);
  // A low surrogate at the start of the tail lost its other half.
  const end = /^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail;
  return `${cutText(text, SHORT_HEAD_CHARS)} [… ${counted(cutChars, 'character')} left out …] ${end}`;
}

function valueText(value: unknown): string {
  let text = '';
  for (const part of jsonText(value)) text += part;
  return text;
}

function piece(kind: PieceKind, text: string, frame: (inner: string) => string): Piece {
  const safe = fenced(text);
  return { kind, text: frame(safe), short: frame(shortened(safe)) };
}

/** A block as text; media is named, never sent. Nothing for a block that only its vendor can read. */
function pieceOf(block: ContentBlock, speaker: IContent['speaker']): Piece | undefined {
  const author = speaker === 'human' ? 'User' : speaker === 'ai' ? 'Agent' : 'Tool';
  const kind = speaker === 'human' ? 'words' : speaker === 'ai' ? 'answer' : 'result';
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? undefined : piece(kind, block.text, (text) => `${author}: ${text}`);
    case 'code':
      return piece(
        kind,
        block.code,
        (code) => `${author} (code${block.language ? `, ${block.language}` : ''}):\n${code}`,
      );
    case 'thinking':
      return block.thought.trim() === ''
        ? undefined
        : piece('thinking', block.thought, (thought) => `Agent, thinking: ${thought}`);
    case 'tool_call':
      return piece('call', valueText(block.parameters), (text) => `Agent calls ${label(block.name)}: ${text}`);
    case 'tool_response': {
      const error = errorOf(block);
      const outcome = error === undefined ? '' : `\nerror: ${fenced(error)}`;
      const name = label(block.toolName);
      return piece('result', valueText(block.result), (text) => {
        return `<tool_output tool="${name}">\n${text}${outcome}\n</tool_output>`;
      });
    }
    case 'media': {
      const name = block.filename ?? block.caption ?? (block.encoding === 'url' ? block.data : 'unnamed');
      return piece(kind, '', () => `${author} (${label(block.mimeType)} attached: ${label(name)})`);
    }
  }
}

const label = (text: string): string => fenced(oneLine(text, LABEL_CHARS)).replaceAll('"', "'");

/** The texts of an entry for a summariser, block by block. Linear in the entry. */
export function piecesOf({ blocks, speaker }: IContent): Piece[] {
  return blocks.flatMap((block) => pieceOf(block, speaker) ?? []);
}
