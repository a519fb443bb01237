import { createRequire } from 'node:module';
import type { MediaBlock } from '../../content/content.ts';
import type { Tokenizer, TokenizerFamily } from '../family.ts';

/** How much of an image is searched for its size: usually the start is enough, but embedded metadata can precede it. */
const HEAD_CHARACTERS = [4_096, 131_072, 4_194_304] as const;
/** The assumed size of a page if a PDF hides its pages. Source: typical office documents; no vendor states it. */
const PDF_PAGE_BYTES = 50_000;
/** Gemini counts 32 tokens per second of sound and 263 of video, about 16 KB and 130 KB; other models accept neither. */
const SOUND_AND_VIDEO_BYTES_PER_TOKEN = 500;

const TEXT_TYPE = /^text\/|[/+](?:json|xml|yaml|javascript)\b/;

const require = createRequire(import.meta.url);

/** Loaded for the first image: the library takes a tenth of the start time of a thread. */
const imageLibrary = (): typeof import('image-size') => require('image-size');

interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** The base64 of a block, without a `data:` prefix; `undefined` for a URL. */
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
      // In memory of its own: the library reads beyond the end of a short image, into whatever a shared buffer has there.
      const { width, height } = imageSize(new Uint8Array(Buffer.from(base64.slice(0, characters), 'base64')));
      if (width > 0 && height > 0) return { width, height };
    } catch {
      // Not an image, or its size is further on.
    }
    if (base64.length <= characters) return undefined;
  }
  return undefined;
}

/** True for the base64 of an image of a known kind. */
export const hasPixels = (base64: string): boolean => pixelsOf(base64) !== undefined;

function pdfPages(base64: string): number {
  const bytes = Buffer.from(base64, 'base64');
  const pages = bytes.toString('latin1').match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  return pages > 0 ? pages : Math.max(1, Math.ceil(bytes.length / PDF_PAGE_BYTES));
}

/**
 * Tokens of a medium, never of its base64: images count by pixels, PDFs by pages (one per 50 KB if the pages are
 * compressed), sound and video by size, text files by their text. A URL or an unreadable image counts as an image of
 * unknown size.
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
