import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from './child.ts';

/** At most so many files are named in an answer: with them it has about a thousand tokens. */
const MAX_PATHS = 80;

const event = (data: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** A snapshot that names files which the conversation names. */
function snapshotOf(request: string): string {
  const paths = [...new Set(request.match(/\/home\/dev\/[\w./-]+\.\w+/g) ?? [])].slice(0, MAX_PATHS);
  const lines = paths.map((path) => `- ${path}: was worked on`).join('\n');
  return `<state_snapshot>\n<overall_goal>Go on.</overall_goal>\n<file_system_state>\n${lines}\n</file_system_state>\n</state_snapshot>`;
}

/** Server-sent events as Anthropic's Messages API has them. Source: https://docs.anthropic.com/en/api/messages-streaming */
function* answerTo(request: string): Generator<string> {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
  yield event({ type: 'message_start', message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } });
  yield event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
  for (const line of snapshotOf(request).split(/(?<=\n)/)) {
    yield event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: line } });
  }
  yield event({ type: 'content_block_stop', index: 0 });
  yield event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } });
  yield event({ type: 'message_stop' });
}

/** A model that answers at once, in a process of its own; resolves with its address. */
async function start(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of answerTo(Buffer.concat(chunks).toString())) response.write(piece);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

serve<never>(import.meta.filename, { start });
