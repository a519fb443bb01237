import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ToolCallBlock } from '../../content/content.ts';
import { fileAccess } from '../../content/files/file-access.ts';
import { asText } from '../../content/foreign-value.ts';
import { anyAgent } from '../../content/vocabularies/vocabulary.ts';
import { messageOf } from '../../errors.ts';
import { fileTexts } from '../../guard/file-texts.ts';
import type { GuardKind, GuardLog } from '../../guard/guard-log.ts';
import { mayHaveMarker } from '../../guard/sent-marker.ts';
import type { Pruner } from '../../live/contract.ts';
import { deniedFor, hookEvent } from '../../plugin/hook-event.ts';
import { LARGEST_BODY_BYTES } from '../intake/request-body.ts';

const TOKEN_BYTES = 16;

interface GuardOptions extends Pick<Pruner, 'copiedMarker'> {
  readonly agent: string;
  readonly log: GuardLog;
  /** Called with what was done about a call that would write a marker. */
  readonly onGuarded: (kind: GuardKind) => void;
  readonly onTrouble: (what: string) => void;
}

/**
 * Says before a tool runs whether it would write a marker, below a path token of its own: agents and their hooks ask with an event
 * `PreToolUse` as the body of a POST. The answer is that of a hook, or `{}`: the call runs, also if anything goes wrong here.
 */
export class GuardServer {
  readonly token = randomBytes(TOKEN_BYTES).toString('base64url');
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Answers a request whose token, `Host` and `Origin` were looked at before. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let answer: object = {};
    try {
      answer = (await this.#answer(await bodyOf(request))) ?? {};
    } catch (error) {
      this.#options.onTrouble(`a call could not be looked at before it ran (${messageOf(error)})`);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async #answer(text: string): Promise<object | undefined> {
    if (!mayHaveMarker(text)) return undefined;
    const { agent, log, copiedMarker, onGuarded } = this.#options;
    const { session, fields } = hookEvent(text);
    const name = asText(fields['tool_name']);
    const call: ToolCallBlock = { type: 'tool_call', id: '', name, parameters: fields['tool_input'] };
    if (copiedMarker(call) === undefined) return undefined;
    const root = asText(fields['cwd']) || '/';
    const { writes } = fileAccess(call, anyAgent, root, { includesShellWrites: true });
    const copy = copiedMarker(call, fileTexts(writes));
    if (copy === undefined) return undefined;
    const reason = await log.refusedFor(call, copy, { agent, session, at: Date.now() });
    onGuarded(reason === undefined ? 'passed' : 'refused');
    return reason === undefined ? undefined : deniedFor(reason);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    // It is read to its end, and not kept.
    if (sizeBytes <= LARGEST_BODY_BYTES) chunks.push(chunk);
  }
  return sizeBytes <= LARGEST_BODY_BYTES ? Buffer.concat(chunks).toString('utf8') : '';
}
