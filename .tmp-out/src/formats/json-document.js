import { CompressionStrategyError } from '../errors.js';
import { decode, joinLines, parseJson } from './lines.js';
/**
 * The one JSON value that a whole file is. It needs the file in memory.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` naming where the JSON ends or breaks.
 */
export function readDocument(lines, title) {
    const bytes = joinLines(lines);
    const text = decode(bytes);
    const parsed = parseJson(text);
    if (parsed.kind === 'json')
        return { bytes, value: parsed.value };
    const got = parsed.kind === 'blank'
        ? 'an empty file'
        : `${bytes.length} bytes in ${text.split('\n').length} lines that are no JSON (${parsed.reason})`;
    throw new CompressionStrategyError(`Expected ${title} as one JSON document, got ${got}. Is this the whole file?`, 'SESSION_UNREADABLE');
}
/** The refusal of a document that is JSON but holds no messages. */
export function noMessages(title, got) {
    return new CompressionStrategyError(`Expected ${title} with at least one message, got ${got}. Force another format with --format <name>.`, 'SESSION_UNREADABLE');
}
