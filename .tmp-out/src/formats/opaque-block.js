import { CompressionStrategyError } from '../errors.js';
/**
 * A part of a message that the model saw and that has no block type of its own (a built-in search, a citation):
 * its JSON as code, so that it is counted and kept. It can be kept or dropped, never changed.
 */
export function opaqueBlock(part) {
    return { type: 'code', language: 'json', code: JSON.stringify(part) };
}
/** The refusal of a changed block that a file has no place for. */
export function unchangeable(block) {
    return new CompressionStrategyError(`Expected a ${block.type} block to be kept or dropped, got another in its place. The file is not written.`, 'SESSION_NOT_WRITABLE');
}
/** A code block as text for a model: fenced. */
export function fencedCode({ code, language = '' }) {
    return `\`\`\`${language}\n${code}\n\`\`\``;
}
