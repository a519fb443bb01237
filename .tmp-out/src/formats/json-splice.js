import { CompressionStrategyError } from '../errors.js';
import { decode, joinLines } from './lines.js';
const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [9, 10, 13, 32, 34, 44, 58, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const encoder = new TextEncoder();
function unusable(expected, path) {
    return new CompressionStrategyError(`Expected ${expected} at ${JSON.stringify(path)} of a JSON text, got something else. The file is not written.`, 'SESSION_NOT_WRITABLE');
}
function skipSpace(bytes, from) {
    let at = from;
    while (bytes[at] === SPACE || bytes[at] === LINE_FEED || bytes[at] === RETURN || bytes[at] === TAB)
        at++;
    return at;
}
function stringEnd(bytes, from) {
    for (let at = bytes.indexOf(QUOTE, from + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
        let slashes = 0;
        while (bytes[at - 1 - slashes] === BACKSLASH)
            slashes++;
        if (slashes % 2 === 0)
            return at + 1;
    }
    return bytes.length;
}
function valueEnd(bytes, from) {
    let depth = 0;
    let at = from;
    while (at < bytes.length) {
        const byte = bytes[at];
        if (byte === QUOTE) {
            at = stringEnd(bytes, at);
            if (depth === 0)
                return at;
            continue;
        }
        if (byte === OPEN_OBJECT || byte === OPEN_LIST)
            depth++;
        else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
            if (depth === 0)
                return at;
            if (--depth === 0)
                return at + 1;
        }
        else if (depth === 0 &&
            (byte === COMMA || byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB))
            return at;
        at++;
    }
    return at;
}
function membersOf(bytes, from) {
    const isObject = bytes[from] === OPEN_OBJECT;
    const members = [];
    let at = skipSpace(bytes, from + 1);
    while (at < bytes.length && bytes[at] !== CLOSE_OBJECT && bytes[at] !== CLOSE_LIST) {
        const start = at;
        let key = members.length;
        if (isObject) {
            at = stringEnd(bytes, at);
            key = JSON.parse(decode(bytes.subarray(start, at)));
            at = skipSpace(bytes, at);
            if (bytes[at] === COLON)
                at++;
            at = skipSpace(bytes, at);
        }
        const valueStart = at;
        at = valueEnd(bytes, at);
        members.push({ key, start, valueStart, end: at });
        at = skipSpace(bytes, at);
        if (bytes[at] === COMMA)
            at = skipSpace(bytes, at + 1);
    }
    return members;
}
function plant(changes) {
    const root = { children: new Map() };
    for (const change of changes) {
        let branch = root;
        for (const key of change.path) {
            let child = branch.children.get(key);
            if (!child) {
                child = { children: new Map() };
                branch.children.set(key, child);
            }
            branch = child;
        }
        branch.change = change;
    }
    return root;
}
/** One pass over the containers that changes go through; every other value is copied without being looked into. */
class Splice {
    pieces = [];
    #bytes;
    constructor(bytes) {
        this.#bytes = bytes;
    }
    copy(start, end) {
        this.pieces.push(this.#bytes.subarray(start, end));
    }
    write(value) {
        this.pieces.push(encoder.encode(JSON.stringify(value)));
    }
    value(start, branch, path) {
        if (branch?.change?.kind === 'set')
            this.write(branch.change.value);
        else if (branch && branch.children.size > 0)
            this.container(start, branch, path);
        else
            this.copy(start, valueEnd(this.#bytes, start));
    }
    container(start, branch, path) {
        const opening = this.#bytes[start];
        if (opening !== OPEN_OBJECT && opening !== OPEN_LIST)
            throw unusable('an object or a list', path);
        const members = membersOf(this.#bytes, start);
        const end = valueEnd(this.#bytes, start);
        const first = members[0];
        const last = members.at(-1);
        // JSON.parse takes the last of several equal keys, so the last one is the one that is meant.
        const places = new Map(members.map((member, index) => [member.key, index]));
        let previousEnd = -1;
        let isEmpty = true;
        this.copy(start, first?.start ?? end - 1);
        for (const [index, member] of members.entries()) {
            const child = places.get(member.key) === index ? branch.children.get(member.key) : undefined;
            if (child?.change?.kind !== 'remove') {
                if (!isEmpty)
                    this.copy(previousEnd, member.start);
                this.copy(member.start, member.valueStart);
                this.value(member.valueStart, child, [...path, member.key]);
                isEmpty = false;
            }
            previousEnd = member.end;
        }
        for (const [key, child] of branch.children) {
            if (places.has(key))
                continue;
            const isNext = opening === OPEN_OBJECT ? typeof key === 'string' : key === members.length;
            if (child.change?.kind !== 'set' || !isNext)
                throw unusable('a value', [...path, key]);
            if (!isEmpty)
                this.pieces.push(encoder.encode(','));
            if (opening === OPEN_OBJECT)
                this.pieces.push(encoder.encode(`${JSON.stringify(key)}:`));
            this.write(child.change.value);
            isEmpty = false;
        }
        this.copy(last?.end ?? end - 1, end);
    }
}
/**
 * The same JSON text with these changes made and every other byte as it was, white space and byte order mark
 * included. `bytes` must be valid JSON, with anything after it that is white space. Cost: linear in the text.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when a path leads nowhere.
 */
export function spliceJson(bytes, changes) {
    if (changes.length === 0)
        return bytes;
    const splice = new Splice(bytes);
    const afterMark = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;
    const start = skipSpace(bytes, afterMark);
    splice.copy(0, start);
    splice.value(start, plant(changes), []);
    splice.copy(valueEnd(bytes, start), bytes.length);
    return joinLines(splice.pieces);
}
