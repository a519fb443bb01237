import type { ContentBlock, IContent } from '../../content/content.ts';
import { urlOfMedia } from '../blocks/data-url.ts';
import { fencedCode } from '../blocks/opaque-block.ts';
import { attachedResponses } from '../blocks/sendable.ts';
import { jsonText } from '../json/json-text.ts';
import { resultContent } from './message.ts';

function part(block: ContentBlock): unknown {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'code') return { type: 'text', text: fencedCode(block) };
  if (block.type === 'media') return { type: 'image_url', image_url: { url: urlOfMedia(block) } };
  return undefined;
}

/** The content of a message: a text for one text block, otherwise a list of parts. */
function contentOf(blocks: readonly ContentBlock[]): unknown {
  const [first] = blocks;
  if (blocks.length === 1 && first?.type === 'text') return first.text;
  return blocks.flatMap((block) => part(block) ?? []);
}

function answer(blocks: readonly ContentBlock[]): unknown[] {
  const words = blocks.filter(({ type }) => type === 'text' || type === 'code');
  const calls = blocks.flatMap((block) =>
    block.type !== 'tool_call'
      ? []
      : {
          id: block.id,
          type: 'function',
          function: {
            name: block.name,
            arguments:
              typeof block.parameters === 'string'
                ? block.parameters
                : jsonText(block.parameters ?? {}, `the arguments of ${block.name}`),
          },
        },
  );
  if (words.length === 0 && calls.length === 0) return [];
  // Only reasoning from this field is written to it: there is no field for the signature of another provider.
  const reasoning = blocks.find((block) => block.type === 'thinking' && block.sourceField === 'reasoning_content');
  return [
    {
      role: 'assistant',
      ...(reasoning?.type === 'thinking' && { reasoning_content: reasoning.thought }),
      content: words.length === 0 ? null : contentOf(words),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

function results(entry: IContent): unknown[] {
  return attachedResponses(entry).map(({ response, parts }) => {
    const text = resultContent(response);
    const attached = parts.flatMap((block) => part(block) ?? []);
    const content = attached.length === 0 ? text : [{ type: 'text', text }, ...attached];
    return { role: 'tool', tool_call_id: response.callId, content };
  });
}

/** The messages of an entry: one, or one per result; none for an answer that this API cannot contain. */
export function newMessages(entry: IContent): unknown[] {
  const { speaker, blocks, metadata } = entry;
  if (speaker === 'ai') return answer(blocks);
  if (speaker === 'tool') return results(entry);
  const role = metadata?.['role'] === 'developer' || metadata?.['role'] === 'system' ? metadata['role'] : 'user';
  return [{ role, content: contentOf(blocks) }];
}
