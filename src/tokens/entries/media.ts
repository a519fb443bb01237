import { createRequire } from 'node:module';
import type { MediaBlock } from '../../content/content.ts';
import type { TokenizerFamily } from '../family.ts';
import type { Tokenizer } from '../tokenizer.ts';

/** Where the size of an image stands: usually at once, behind embedded metadata in some, anywhere in a few. */
const HEAD_CHARACTERS = [4_096, 131_072, 4_194_304] as const;
/** A page of a PDF whose pages cannot be told apart. Source: the order of size of office documents; no vendor says. */
const PDF_PAGE_BYTES = 50_000;
/** Gemini takes 32 tokens a second of sound and 263 of video, at about 16 KB and 130 KB a second; others take neither. */
const SOUND_AND_VIDEO_BYTES_PER_TOKEN = 500;

const TEXT_TYPE = /^text\/|[/+](?:json|xml|yaml|javascript)\b/;

const require = createRequire(import.meta.url);

/** Loaded for the first image there is: reading twenty kinds of them takes a new thread a tenth of its time to start. */
const imageLibrary = (): typeof import('image-size') => require('image-size');

interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** The base64 of a block, without the `data:` prefix that some carry; undefined for a real URL. */
function base64Of({ data, encoding }: MediaBlock): string | undefined {
  if (/^data:/i.test(data)) {
    const comma = data.indexOf(',');
    return comma < 0 ? '' : data.slice(comma + 1);
  }
  return encoding === 'base64' ? data : undefined;
}

function pixelsOf(base64: string): Pixels | undefined {
  const { imageSize } = imageLibrary();
  for (const characters of HEAD_CHARACTERS) {
    try {
      const { width, height } = imageSize(Buffer.from(base64.slice(0, characters), 'base64'));
      if (width > 0 && height > 0) return { width, height };
    } catch {
      // Not an image, or its size stands further on.
    }
    if (base64.length <= characters) return undefined;
  }
  return undefined;
}

function pdfPages(base64: string): number {
  const bytes = Buffer.from(base64, 'base64');
  const pages = bytes.toString('latin1').match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  return pages > 0 ? pages : Math.max(1, Math.ceil(bytes.length / PDF_PAGE_BYTES));
}

/**
 * Tokens of a medium. Its base64 is never counted as text: images are priced by their pixels, PDFs by their pages
 * (by 50 KB a page where the pages are compressed), sound and video by their size, text files by their text.
 * What stands behind a URL, or is no image that can be read, costs what the family says of unsized images.
 */
export function countMedia(block: MediaBlock, family: TokenizerFamily, tokenizer: Tokenizer): number {
  const base64 = base64Of(block);
  const mimeType = block.mimeType.toLowerCase();
  if (base64 === undefined) return family.unsizedImageTokens;
  if (mimeType === 'application/pdf') return pdfPages(base64) * family.pdfPageTokens;
  const isImage = mimeType.startsWith('image/');
  if (!isImage && TEXT_TYPE.test(mimeType)) return tokenizer.count(Buffer.from(base64, 'base64').toString('utf8'));
  if (/^(?:audio|video)\//.test(mimeType)) return Math.ceil((base64.length * 3) / 4 / SOUND_AND_VIDEO_BYTES_PER_TOKEN);
  const pixels = pixelsOf(base64);
  return pixels ? family.imageTokens(pixels.width, pixels.height) : family.unsizedImageTokens;
}
