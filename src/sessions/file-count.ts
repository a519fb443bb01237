import type { FileBytes } from '../disk/file-bytes.ts';
import { nextSafeCut } from '../tokens/exact/split-points.ts';
import { addFeatures, type TextFeatures } from '../tokens/features.ts';
import { createTokenizer } from '../tokens/index.ts';
import { familyOfModel } from '../tokens/models.ts';

/** Longest stretch of text expected without a safe place to cut it. */
const LOOK_BACK_UNITS = 4096;

/** How large a text file is. */
export interface FileCount {
  readonly tokens: number;
  readonly bytes: number;
}

/**
 * Tokens of a text file of any size: it is cut only where a cut changes no count. `onProgress` is called with bytes.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` when the file cannot be read to its end.
 */
export function countFile(bytes: FileBytes, model: string, onProgress?: (doneBytes: number) => void): FileCount {
  const tokenizer = createTokenizer(familyOfModel(model));
  // A byte order mark is text to a tokenizer.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let features: TextFeatures | undefined;
  const take = (text: string): void => {
    const more = tokenizer.measure(text);
    features = features === undefined ? more : addFeatures(features, more);
  };
  let rest = '';
  for (const chunk of bytes.chunks(onProgress)) {
    rest += decoder.decode(chunk, { stream: true });
    const cut = nextSafeCut(rest, rest.length - LOOK_BACK_UNITS);
    if (cut >= rest.length) continue;
    take(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  take(rest + decoder.decode());
  return { tokens: features === undefined ? 0 : tokenizer.tokensOf(features), bytes: bytes.sizeBytes };
}
