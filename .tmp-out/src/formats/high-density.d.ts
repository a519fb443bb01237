import type { SessionFormat } from './contract.ts';
/**
 * Our own sessions: a header `{"format":"high-density","version":1,…}`, then one `IContent` per line. Lines and fields
 * that are not known are kept. Transcripts are written this way too.
 */
export declare const highDensity: SessionFormat;
