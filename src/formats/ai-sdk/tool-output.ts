import type { ContentBlock, MediaBlock, ToolResponseBlock } from '../../content/content.ts';
import { asText, type Fields, isRecord } from '../../content/foreign-value.ts';
import { mediaOfUrl } from '../blocks/data-url.ts';
import { responseText, resultText, splitError } from '../blocks/tool-result.ts';

const DENIED = 'The user denied this call.';

/** The media block of an item of a `content` output; `undefined` for another item. */
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

/** The result and the error in the `output` of a tool result, without its media. */
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

/** The items of a `content` output for a block that belongs to a result. */
export function outputItem(block: ContentBlock): Fields[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type === 'code') return [{ type: 'text', text: block.code }];
  if (block.type !== 'media') return [];
  const { mimeType: mediaType, data, filename } = block;
  if (block.encoding === 'url') return [{ type: 'file-url', url: data, mediaType }];
  return [{ type: 'file-data', data, mediaType, ...(filename !== undefined && { filename }) }];
}

/** The `output` for a result, with these additional items. A failure is written as a failure. */
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
