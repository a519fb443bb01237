import type { ContentBlock, MediaBlock, ToolResponseBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { responseText } from '../anthropic/anthropic-content.ts';
import { mediaOfUrl } from '../blocks/data-url.ts';
import { splitError } from '../blocks/failed-result.ts';
import { resultText } from '../json/json-text.ts';

type Fields = Readonly<Record<string, unknown>>;

const DENIED = 'The user denied this call.';

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The media of a `content` output: the item it is, or undefined for any other. */
export function outputMedia(item: unknown): MediaBlock | undefined {
  if (!isRecord(item)) return undefined;
  const { type, data, url } = item;
  const mimeType = asText(item['mediaType']) || 'image/*';
  const filename = typeof item['filename'] === 'string' ? { filename: item['filename'] } : {};
  if (typeof data === 'string' && /^(?:media|file-data|image-data)$/.test(String(type)))
    return { type: 'media', mimeType, data, encoding: 'base64', ...filename };
  if (typeof url === 'string' && /^(?:file-url|image-url)$/.test(String(type)))
    return { ...mediaOfUrl(url), mimeType, ...filename };
  return undefined;
}

/** What the `output` of a tool result says, its media apart. */
export function readOutput(output: unknown): { result: unknown; error?: string } {
  if (!isRecord(output)) return { result: output ?? '' };
  const { type, value, reason } = output;
  if (type === 'execution-denied') return { result: '', error: asText(reason) || DENIED };
  if (type === 'error-text' || type === 'error-json') return splitError(resultText(value));
  if (type !== 'content' || !Array.isArray(value)) return { result: value ?? '' };
  const rest: unknown[] = value.filter((item) => outputMedia(item) === undefined);
  const texts = rest.flatMap((item) => (isRecord(item) && item['type'] === 'text' ? asText(item['text']) : []));
  return { result: texts.length === rest.length ? texts.join('\n') : rest };
}

/** What stands for a block beside a result in a `content` output. */
export function outputItem(block: ContentBlock): Fields[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type === 'code') return [{ type: 'text', text: block.code }];
  if (block.type !== 'media') return [];
  const { mimeType: mediaType, data, filename } = block;
  if (block.encoding === 'url') return [{ type: 'file-url', url: data, mediaType }];
  return [{ type: 'file-data', data, mediaType, ...(filename !== undefined && { filename }) }];
}

/** The `output` that says what a response says, with these items beside it. A failure stays one. */
export function newOutput(response: ToolResponseBlock, items: readonly unknown[] = []): Fields {
  const { error, result } = response;
  const text = responseText(response);
  const list = [...(text === '' ? [] : [{ type: 'text', text }]), ...items];
  if (error !== undefined)
    return items.length > 0 ? { type: 'error-json', value: list } : { type: 'error-text', value: text };
  if (items.length > 0) return { type: 'content', value: list };
  return typeof result === 'string' || result === undefined
    ? { type: 'text', value: text }
    : { type: 'json', value: result };
}
