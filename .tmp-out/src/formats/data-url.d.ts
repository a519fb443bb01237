import type { MediaBlock } from '../content/content.ts';
/** The media block of a URL: what a data URL holds, or the address itself. */
export declare function mediaOfUrl(url: string): MediaBlock;
/** The URL of a media block: its address, or a data URL of what it holds. */
export declare function urlOfMedia({ encoding, mimeType, data }: MediaBlock): string;
