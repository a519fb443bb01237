/** A human entry with one text block. */
export function createUserMessage(text, metadata) {
    return { speaker: 'human', blocks: [{ type: 'text', text }], ...(metadata && { metadata }) };
}
/** A tool entry with one response; `error` is set beside `result`, never instead of it. */
export function createToolResponse(callId, toolName, result, error) {
    return {
        speaker: 'tool',
        blocks: [{ type: 'tool_response', callId, toolName, result, ...(error !== undefined && { error }) }],
    };
}
function blockHasContent(block) {
    switch (block.type) {
        case 'text':
            return block.text.trim() !== '';
        case 'tool_call':
            return Boolean(block.name) && block.parameters !== undefined;
        case 'tool_response':
            return Boolean(block.callId) && block.result !== undefined;
        case 'media':
            return Boolean(block.data) && Boolean(block.mimeType);
        case 'code':
            return block.code.trim() !== '';
        case 'thinking':
            return block.sourceField === 'thinking'
                ? block.thought.trim() !== '' && Boolean(block.signature)
                : block.thought.trim() !== '' || Boolean(block.encryptedContent);
    }
}
export const ContentValidation = {
    /** Whether an entry says anything: at least one block with content. Source: spec/history-service.md, "has content". */
    hasContent: (content) => content.blocks.some(blockHasContent),
};
