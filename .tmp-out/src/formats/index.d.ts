import type { SessionFormat } from './contract.ts';
/** Every format, in the order in which a person reads them. */
export declare const SESSION_FORMATS: readonly SessionFormat[];
/**
 * The format of a file that starts with `head` (its first 256 KB at least, decoded), by content.
 * @throws CompressionStrategyError `SESSION_FORMAT_UNKNOWN` when it is none or could be several.
 */
export declare function detectFormat(head: string): SessionFormat;
/**
 * The format of this name.
 * @throws CompressionStrategyError `SESSION_FORMAT_UNKNOWN` listing the known ones.
 */
export declare function formatNamed(name: string): SessionFormat;
