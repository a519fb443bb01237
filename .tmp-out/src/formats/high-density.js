import { CompressionStrategyError } from '../errors.js';
import { contentProblem, isContent } from './content-guard.js';
import { headLines, isRecord } from './detection.js';
import { compareHistories } from './edits.js';
import { spliceJson } from './json-splice.js';
import { assertRestartable, parseLine } from './lines.js';
const NAME = 'high-density';
const VERSION = 1;
const encoder = new TextEncoder();
function encodeLine(value, name) {
    try {
        return encoder.encode(`${JSON.stringify(value)}\n`);
    }
    catch (cause) {
        throw new CompressionStrategyError(`Expected ${name} to be plain data, got something that JSON cannot hold (${String(cause)}). The file is not written.`, 'SESSION_NOT_WRITABLE', { cause });
    }
}
const isHeader = (value) => isRecord(value) && value['format'] === NAME;
/** One entry of the file and its id: its own, or its line where it has none or one that was there before. */
function identified(content, line, taken) {
    const own = content.metadata?.id;
    const id = typeof own === 'string' && !taken.has(own) ? own : `line-${line}`;
    taken.add(id);
    return id === own ? content : { ...content, metadata: { ...content.metadata, id } };
}
/** The entry on each line of the file, by line number; lines that are no entry are absent. */
function* entriesOf(lines, skipped, header) {
    const taken = new Set();
    let line = 0;
    for (const bytes of lines) {
        line++;
        const parsed = parseLine(bytes);
        let content;
        if (parsed.kind === 'broken')
            skipped.push({ line, reason: parsed.reason });
        else if (parsed.kind === 'json' && isHeader(parsed.value))
            Object.assign(header, parsed.value);
        else if (parsed.kind === 'json' && isContent(parsed.value))
            content = identified(parsed.value, line, taken);
        else if (parsed.kind === 'json' && isRecord(parsed.value) && 'speaker' in parsed.value)
            skipped.push({ line, reason: contentProblem(parsed.value) ?? 'not an entry' });
        else if (parsed.kind === 'json' && !isRecord(parsed.value))
            skipped.push({ line, reason: 'expected an object' });
        yield { line, bytes, content };
    }
}
function read(lines) {
    const skipped = [];
    const header = {};
    const events = [];
    let lineCount = 0;
    for (const { line, content } of entriesOf(lines, skipped, header)) {
        lineCount = line;
        if (content)
            events.push({ kind: 'add', content });
    }
    if (events.length === 0 && !isHeader(header)) {
        const first = skipped[0];
        throw new CompressionStrategyError(`Expected a header with "format": "${NAME}" or at least one entry, got ${lineCount} lines without any` +
            `${first ? ` (line ${first.line}: ${first.reason})` : ''}. Is this the whole file?`, 'SESSION_UNREADABLE');
    }
    const text = (field) => typeof header[field] === 'string' ? { [field]: header[field] } : {};
    return {
        format: NAME,
        ...text('id'),
        ...text('model'),
        ...text('workspaceRoot'),
        ...text('systemText'),
        events,
        skipped,
    };
}
function blockChanges(edits) {
    return edits.flatMap((edit, index) => {
        const path = ['blocks', index];
        if (edit.kind === 'keep')
            return [];
        return [edit.kind === 'drop' ? { kind: 'remove', path } : { kind: 'set', path, value: edit.block }];
    });
}
function addedBehind(edits) {
    const behind = new Map();
    for (const { content, afterId } of edits.added) {
        const list = behind.get(afterId);
        if (list)
            list.push(content);
        else
            behind.set(afterId, [content]);
    }
    return behind;
}
const NEWLINE = 10;
function* withLineEnd(bytes, isNeeded) {
    yield bytes;
    if (isNeeded && bytes.at(-1) !== NEWLINE)
        yield new Uint8Array([NEWLINE]);
}
function* write(lines, history) {
    assertRestartable(lines);
    const before = [];
    for (const { content } of entriesOf(lines, [], {}))
        if (content)
            before.push(content);
    const edits = compareHistories(before, history);
    const behind = addedBehind(edits);
    let isAtStart = true;
    for (const { bytes, content, line } of entriesOf(lines, [], {})) {
        const id = content?.metadata?.id;
        // Entries that come first stand behind the header, before the first entry.
        if (id !== undefined && isAtStart) {
            for (const added of behind.get(undefined) ?? [])
                yield encodeLine(added, `the entry before line ${line}`);
            behind.delete(undefined);
            isAtStart = false;
        }
        const edit = (id !== undefined && edits.entries.get(id)) || { kind: 'keep' };
        const following = (id !== undefined && behind.get(id)) || [];
        const isLastOpen = following.length > 0 || (isAtStart && behind.has(undefined));
        if (edit.kind === 'keep')
            yield* withLineEnd(bytes, isLastOpen);
        else if (edit.kind === 'change')
            yield* withLineEnd(spliceJson(bytes, blockChanges(edit.blocks)), isLastOpen);
        for (const added of following)
            yield encodeLine(added, `the entry behind line ${line}`);
    }
    for (const added of behind.get(undefined) ?? [])
        yield encodeLine(added, 'an entry');
}
function* create(history, session) {
    const { id, startedAt, ...facts } = session;
    yield encodeLine({ format: NAME, version: VERSION, id, startedAt, ...facts }, 'the header');
    for (const [index, content] of history.entries())
        yield encodeLine(content, `entry ${index}`);
}
/**
 * Our own sessions: a header `{"format":"high-density","version":1,…}`, then one `IContent` per line. Lines and fields
 * that are not known are kept. Transcripts are written this way too.
 */
export const highDensity = {
    name: NAME,
    title: 'high-density',
    vocabulary: { name: 'default', tools: {} },
    detect: (head) => isHeader(headLines(head)[0]),
    read,
    write,
    create,
};
