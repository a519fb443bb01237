import type { CodeBlock, ContentBlock } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';

/**
 * A part of a message that the model saw and that has no block type of its own (a built-in search, a citation):
 * its JSON as code, so that it is counted and kept. It can be kept or dropped, never changed.
 */
export function opaqueBlock(part: unknown): CodeBlock {
  return { type: 'code', language: 'json', code: JSON.stringify(part) };
}

/** The refusal of a changed block that a file has no place for. */
export function unchangeable(block: ContentBlock): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected a ${block.type} block to be kept or dropped, got another in its place. The file is not written.`,
    'SESSION_NOT_WRITABLE',
  );
}

/** A code block as text for a model: fenced. */
export function fencedCode({ code, language = '' }: CodeBlock): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
