import type { CodeBlock, MediaBlock, ThinkingBlock } from '../../content/content.ts';
import { jsonOf, readOr } from '../../content/foreign-value.ts';
import { hasPixels } from './media.ts';

/** A shorter string counts as text. */
const LEAST_CHARACTERS = 512;
const DATA_URL = /^data:([^;,]+);(?:[^;,]*;){0,1000}base64,/i;
const BASE64 = /^[\w+/-]+={0,2}$/;

/** How base64 of media without pixels starts. */
const STARTS = [
  ['JVBERi0', 'application/pdf'],
  ['SUQz', 'audio/mpeg'],
  ['T2dnUw', 'audio/ogg'],
] as const;

/** What an opaque block contains: its JSON without the strings that are no text, and those as the blocks that they are. */
export interface OpaqueParts {
  readonly text: string;
  readonly binaries: readonly (MediaBlock | ThinkingBlock)[];
}

/** The parts of an opaque block; other code is all text. Linear in its length. */
export function opaqueParts({ code, language }: CodeBlock): OpaqueParts {
  const asText = { text: code, binaries: [] };
  if (language !== 'json' || code.length < LEAST_CHARACTERS) return asText;
  const binaries: (MediaBlock | ThinkingBlock)[] = [];
  const withoutBinary = (_: string, value: unknown): unknown => {
    const binary = typeof value === 'string' ? binaryOf(value) : undefined;
    if (binary !== undefined) binaries.push(binary);
    return binary === undefined ? value : '';
  };
  const text = readOr(() => JSON.stringify(jsonOf(code), withoutBinary), undefined);
  return text === undefined || binaries.length === 0 ? asText : { text, binaries };
}

function binaryOf(text: string): MediaBlock | ThinkingBlock | undefined {
  if (text.length < LEAST_CHARACTERS) return undefined;
  const [head = '', named] = DATA_URL.exec(text.slice(0, LEAST_CHARACTERS)) ?? [];
  const data = text.slice(head.length);
  if (!BASE64.test(data)) return undefined;
  const known = named ?? STARTS.find(([start]) => data.startsWith(start))?.[1];
  const mimeType = known ?? (hasPixels(data) ? 'image/*' : undefined);
  if (mimeType === undefined) return { type: 'thinking', thought: '', encryptedContent: data };
  return { type: 'media', mimeType, data, encoding: 'base64' };
}
