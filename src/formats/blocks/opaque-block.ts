import type { CodeBlock, ContentBlock } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';

/**
 * A code block with the JSON of a message part that the model saw and that has no block type (a built-in search, a
 * citation), so that it is counted and kept. It can be kept or removed, never changed.
 */
export function opaqueBlock(part: unknown): CodeBlock {
  return { type: 'code', language: 'json', code: JSON.stringify(part) };
}

/** The error for a changed block that can only be kept or removed. */
export function unchangeable(block: ContentBlock): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected a ${block.type} block to be kept or removed, got a changed one. The file is not written.`,
    'SESSION_NOT_WRITABLE',
  );
}

/** A code block as fenced text for a model. */
export function fencedCode({ code, language = '' }: CodeBlock): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
