import type { ErrorData } from '../offload/protocol.ts';
import type { ComparedFile } from './compared-file.ts';
import type { Policy } from './policy.ts';

/** What the main thread asks of a comparing thread: one file at a time. */
export interface ComparisonRequest {
  readonly path: string;
  readonly policies: readonly Policy[];
}

/** What the thread answers, once for each request. */
export type ComparisonReply =
  | { readonly kind: 'compared'; readonly file: ComparedFile }
  | { readonly kind: 'failed'; readonly error: ErrorData };
