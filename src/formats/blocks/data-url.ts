import type { MediaBlock } from '../../content/content.ts';

const DATA_URL = /^data:([^;,]+);(?:[^;,]*;){0,1000}base64,/;

/** The media block of a URL: the data of a data URL, or the address. */
export function mediaOfUrl(url: string): MediaBlock {
  const found = DATA_URL.exec(url);
  return found
    ? { type: 'media', mimeType: found[1] as string, data: url.slice(found[0].length), encoding: 'base64' }
    : { type: 'media', mimeType: 'image/*', data: url, encoding: 'url' };
}

/** The URL of a media block: its address, or a data URL with its data. */
export function urlOfMedia({ encoding, mimeType, data }: MediaBlock): string {
  return encoding === 'url' ? data : `data:${mimeType};base64,${data}`;
}
