import { pairCalls, responseExtent } from '../content/pairing.js';
import { resultText } from './json-text.js';
const NO_RESULT = 'No result was recorded.';
/** Providers take these characters in the id of a call, and each id once. Source: the API references of Anthropic and OpenAI. */
const FOREIGN = /[^a-zA-Z0-9_-]/g;
/** An id for each call that every provider takes: its own where that is possible. */
function uniqueIds(calls) {
    const taken = new Set();
    const ids = new Map();
    for (const paired of calls) {
        const own = paired.call.id.replace(FOREIGN, '_') || 'call';
        let id = own;
        for (let count = 2; taken.has(id); count++)
            id = `${own}_${count}`;
        taken.add(id);
        ids.set(paired, id);
    }
    return ids;
}
function byEntry(parts) {
    const groups = new Map();
    for (const part of parts) {
        const group = groups.get(part.entry);
        if (group)
            group.push(part);
        else
            groups.set(part.entry, [part]);
    }
    return groups;
}
class Arrangement {
    entries = [];
    #history;
    #ids;
    #callsByEntry;
    #responsesByEntry;
    #placed = new Set();
    #lastSpoken;
    constructor(history) {
        const { calls, responses } = pairCalls(history);
        this.#history = history;
        this.#ids = uniqueIds(calls);
        this.#callsByEntry = byEntry(calls);
        this.#responsesByEntry = byEntry(responses);
        this.#lastSpoken = history.findLastIndex(({ speaker }) => speaker !== 'tool');
    }
    entry(index) {
        const entry = this.#history[index];
        if (entry.speaker === 'tool')
            this.#leftOver(entry, this.#responsesByEntry.get(index) ?? []);
        else {
            const calls = this.#callsByEntry.get(index) ?? [];
            this.entries.push(calls.length > 0 ? this.#renamed(entry, calls) : entry);
            this.#answers(calls, index === this.#lastSpoken);
        }
    }
    #renamed(entry, calls) {
        if (calls.every((paired) => this.#ids.get(paired) === paired.call.id))
            return entry;
        const blocks = [...entry.blocks];
        for (const paired of calls)
            blocks[paired.block] = { ...paired.call, id: this.#ids.get(paired) ?? paired.call.id };
        return { ...entry, blocks };
    }
    /** The first response to each call, in the order of the history; a call that has none and is not the last gets one. */
    #answers(calls, isPending) {
        const first = calls.flatMap(({ responses }) => responses[0] ?? []);
        const inOrder = first.toSorted((one, other) => one.entry - other.entry || one.block - other.block);
        for (const [index, responses] of byEntry(inOrder)) {
            for (const response of responses)
                this.#placed.add(response);
            this.entries.push(this.#answer(this.#history[index], index, responses));
        }
        const missing = calls.filter(({ responses }) => responses.length === 0);
        if (isPending || missing.length === 0)
            return;
        const blocks = missing.map((paired) => ({
            type: 'tool_response',
            callId: this.#ids.get(paired) ?? paired.call.id,
            toolName: paired.call.name,
            result: '',
            error: NO_RESULT,
        }));
        this.entries.push({ speaker: 'tool', blocks });
    }
    #answer(entry, index, responses) {
        const isWhole = responses.length === this.#responsesByEntry.get(index)?.length;
        const idOf = ({ call, response }) => (call && this.#ids.get(call)) || response.callId;
        if (isWhole && responses.every((paired) => idOf(paired) === paired.response.callId))
            return entry;
        const blocks = responses.flatMap((paired) => {
            const [start, end] = responseExtent(entry, paired.block);
            return entry.blocks
                .slice(start, end)
                .map((block) => (block === paired.response ? { ...paired.response, callId: idOf(paired) } : block));
        });
        return { ...entry, speaker: 'tool', blocks };
    }
    /** Responses that answer no call, and further ones to the same call, are told as text: nothing is lost. */
    #leftOver(entry, responses) {
        if (responses.length === 0)
            this.entries.push({ ...entry, speaker: 'human' });
        const rest = responses.filter((response) => !this.#placed.has(response));
        if (rest.length === 0)
            return;
        const blocks = rest.flatMap(({ block, response }) => {
            const [start, end] = responseExtent(entry, block);
            const text = [`[result of ${response.toolName}]`, response.error, resultText(response.result)];
            return entry.blocks
                .slice(start, end)
                .map((part) => part === response ? { type: 'text', text: text.filter((line) => line !== undefined).join('\n') } : part);
        });
        this.entries.push({ ...entry, speaker: 'human', blocks });
    }
}
/**
 * The same conversation as a provider takes it: behind every answer with calls the results of these calls and nothing
 * else, each id once. A call that was never answered gets a failed result unless it is still pending at the end; a
 * result without a call becomes text. A history that is so already is returned entry by entry. Linear in blocks.
 */
export function sendable(history) {
    const arrangement = new Arrangement(history);
    for (const index of history.keys())
        arrangement.entry(index);
    return arrangement.entries;
}
