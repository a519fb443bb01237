import { createHash } from 'node:crypto';
import { isRecord } from '../content/foreign-value.ts';
import { madeOnce } from '../content/group-by.ts';
import { createTokenizer, type FamilyName, type FamilyTokenizer } from '../tokens/index.ts';
import type { PromptPart } from './contract.ts';

/** What a picture costs, about. */
const MEDIA_TOKENS = 1500;
/** Fields that say how a part is sent, not what it says. */
const UNREAD = new Set([
  'cache_control',
  'prompt_cache_breakpoint',
  // Data of Codex that the model does not get.
  'internal_chat_message_metadata_passthrough',
]);
/** Texts that are no words: signatures, pictures, sealed reasoning, ids. */
const SEALED = new Set([
  'signature',
  'thoughtSignature',
  'encrypted_content',
  'data',
  'id',
  'call_id',
  'tool_use_id',
  'tool_call_id',
  'type',
  'role',
]);

interface ReadPart {
  readonly key: string;
  readonly texts: readonly string[];
  readonly hasMedia: boolean;
  readonly tokens: Map<FamilyName, number>;
}

/** Reads parts of requests: the identity of a part, and its tokens. Each object is read once. */
export class PartReader {
  readonly #read = new WeakMap<object, ReadPart>();
  readonly #tokenizers = new Map<FamilyName, FamilyTokenizer>();

  keyOf(part: object): string {
    return this.#partOf(part).key;
  }

  tokensOf(part: object, family: FamilyName): number {
    const { tokens, texts, hasMedia } = this.#partOf(part);
    const count = (): number => this.countText(texts.join('\n'), family) + (hasMedia ? MEDIA_TOKENS : 0);
    return madeOnce(tokens, family, count);
  }

  /** These as parts of a prompt, in order. */
  partsOf(given: readonly object[], family: FamilyName): PromptPart[] {
    return given.map((part) => ({ key: this.keyOf(part), tokens: this.tokensOf(part, family) }));
  }

  countText(text: string, family: FamilyName): number {
    return madeOnce(this.#tokenizers, family, () => createTokenizer(family)).count(text);
  }

  #partOf(part: object): ReadPart {
    return madeOnce(this.#read, part, () => {
      const texts: string[] = [];
      const state = { hasMedia: false };
      collect(part, texts, state);
      const key = createHash('sha1').update(canonical(part)).digest('base64');
      return { key, texts, hasMedia: state.hasMedia, tokens: new Map() };
    });
  }
}

/** JSON that is equal for values with equal meaning: keys in order, without cache marks and fields that are null. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .filter((key) => !UNREAD.has(key) && value[key] !== undefined && value[key] !== null)
    .sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}

/** The words of a part, in order. */
function collect(value: unknown, texts: string[], state: { hasMedia: boolean }): void {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'number' || typeof value === 'boolean') texts.push(String(value));
  else if (Array.isArray(value)) for (const item of value) collect(item, texts, state);
  else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const isSealed = SEALED.has(key) && typeof inner === 'string';
      const isMedia = (key === 'data' || key === 'image_url') && typeof inner === 'string' && inner.length > 256;
      if (isMedia) state.hasMedia = true;
      else if (!isSealed && !UNREAD.has(key)) collect(inner, texts, state);
    }
  }
}
