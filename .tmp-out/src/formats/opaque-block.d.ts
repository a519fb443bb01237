import type { CodeBlock, ContentBlock } from '../content/content.ts';
import { CompressionStrategyError } from '../errors.ts';
/**
 * A part of a message that the model saw and that has no block type of its own (a built-in search, a citation):
 * its JSON as code, so that it is counted and kept. It can be kept or dropped, never changed.
 */
export declare function opaqueBlock(part: unknown): CodeBlock;
/** The refusal of a changed block that a file has no place for. */
export declare function unchangeable(block: ContentBlock): CompressionStrategyError;
/** A code block as text for a model: fenced. */
export declare function fencedCode({ code, language }: CodeBlock): string;
