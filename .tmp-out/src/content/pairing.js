/**
 * Which call each response answers: the nearest earlier unanswered call with its id, because real histories reuse
 * ids. A further response to an id whose calls are all answered belongs to the nearest earlier call with that id.
 * Linear in blocks. Source: DESIGN section 4, row 7.
 */
export function pairCalls(history) {
    const calls = [];
    const responses = [];
    const byId = new Map();
    for (let entry = 0; entry < history.length; entry++) {
        const blocks = history[entry].blocks;
        for (let block = 0; block < blocks.length; block++) {
            const item = blocks[block];
            if (item.type === 'tool_call') {
                const call = { entry, block, call: item, responses: [] };
                calls.push(call);
                const known = byId.get(item.id);
                if (known === undefined)
                    byId.set(item.id, { unanswered: [call], latest: call });
                else {
                    known.unanswered.push(call);
                    known.latest = call;
                }
            }
            else if (item.type === 'tool_response') {
                const known = byId.get(item.callId);
                const call = known?.unanswered.pop() ?? known?.latest;
                const response = { entry, block, response: item, call };
                responses.push(response);
                call?.responses.push(response);
            }
        }
    }
    return { calls, responses };
}
/** The calls that no response answers, in order. */
export function unansweredCalls(pairing) {
    return pairing.calls.filter((call) => call.responses.length === 0);
}
/** The responses that answer no call, in order. */
export function orphanResponses(pairing) {
    return pairing.responses.filter((response) => response.call === undefined);
}
/** Values of `providerMetadata.status`, which formats set, that say a call did not do what it was asked to. */
const STATUS_NOT_DONE = new Set(['cancelled', 'preview']);
/** Whether a call failed, was cancelled or was a preview: by its `error` or the status its format sets, never by its words. */
export function isFailure(response) {
    return typeof response.error === 'string' || STATUS_NOT_DONE.has(response.providerMetadata?.['status']);
}
/**
 * The blocks of `content` that go when the response at `block` goes, as `[start, end)`. In a tool entry the text,
 * media and code after a response belong to it, and what stands before the first response belongs to the first;
 * in other entries a response owns itself alone.
 */
export function responseExtent(content, block) {
    if (content.speaker !== 'tool')
        return [block, block + 1];
    const { blocks } = content;
    let end = block + 1;
    while (end < blocks.length && isAttachment(blocks[end].type))
        end++;
    let start = block;
    while (start > 0 && isAttachment(blocks[start - 1].type))
        start--;
    return [start === 0 ? 0 : block, end];
}
function isAttachment(type) {
    return type === 'text' || type === 'media' || type === 'code';
}
