import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToolResponse, createUserMessage, type IContent } from '../../src/content/content.ts';
import type { AnswerOutcome, AnswerPart, ToolSpecification } from '../../src/providers/chat-model.ts';
import { createChatModel } from '../../src/providers/index.ts';
import type { Vendor } from '../../src/providers/vendors.ts';
import { type Answer, cutStream, Loopback, plain, silentStream, stream } from '../providers/loopback.ts';
import { WIRES } from '../providers/wires.ts';

const KEY = 'key-of-these-tests-0123456789';
const TOOL: ToolSpecification = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
};

/** The contract of every vendor's model: parts are streamed, calls have their parameters, failures are values. */
export function chatModelContract(vendor: Vendor): void {
  const wire = WIRES[vendor.name]!;
  const server = new Loopback();
  let baseUrl: string;
  beforeAll(async () => {
    const origin = await server.start();
    baseUrl = wire.path.source.startsWith('^\\/v1\\/chat') || vendor.name === 'openai' ? `${origin}/v1` : origin;
  });
  afterAll(() => server.stop());

  const whole = wire.events({ texts: ['It was ', 'said.'], ending: 'stop' });
  const calling = wire.callEvents({ text: 'Look:', id: 'call_1', name: 'read_file', input: { file_path: 'ä.ts' } });
  const ask = async (
    history: readonly IContent[],
    answers: readonly Answer[],
    signal?: AbortSignal,
  ): Promise<{ outcome: AnswerOutcome; parts: AnswerPart[] }> => {
    server.willAnswer(...answers);
    const model = createChatModel(vendor.name, {
      model: 'test-model',
      baseUrl,
      environment: { [vendor.keyVariables[0]!]: KEY },
    });
    const parts: AnswerPart[] = [];
    const onPart = (part: AnswerPart): void => void parts.push(part);
    const outcome = await model.answer({
      instructions: 'Be brief.',
      history,
      tools: [TOOL],
      onPart,
      ...(signal && { signal }),
    });
    return { outcome, parts };
  };
  const hello = [createUserMessage('Hello.')];

  describe(`chat with ${vendor.name}`, () => {
    test('streams an answer, and returns it whole with its usage', async () => {
      const { outcome, parts } = await ask(hello, [stream(whole)]);
      expect(parts).toEqual([
        { kind: 'text', text: 'It was ' },
        { kind: 'text', text: 'said.' },
      ]);
      expect(outcome).toEqual({
        kind: 'answer',
        isTruncated: false,
        content: {
          speaker: 'ai',
          blocks: [{ type: 'text', text: 'It was said.' }],
          metadata: {
            provider: vendor.name,
            model: 'test-model',
            usage: expect.objectContaining({ promptTokens: 11, completionTokens: 7, totalTokens: 18 }),
          },
        },
      });
    });

    test('reads a call, and gets its result after it', async () => {
      const { outcome, parts } = await ask(hello, [stream(calling)]);
      if (outcome.kind !== 'answer') throw new Error(outcome.message);
      expect(parts.map(({ kind }) => kind)).toEqual(['text', 'call']);
      const [said, call] = outcome.content.blocks;
      expect(said).toEqual({ type: 'text', text: 'Look:' });
      expect(call).toMatchObject({ type: 'tool_call', name: 'read_file', parameters: { file_path: 'ä.ts' } });
      if (call?.type !== 'tool_call') throw new Error('expected a call');
      const result = createToolResponse(call.id, 'read_file', 'export {};');
      const next = await ask([...hello, outcome.content, result], [stream(whole)]);
      expect(next.outcome.kind).toBe('answer');
      const [request] = server.requests;
      expect(JSON.stringify(wire.readResults(request?.body))).toContain('export {};');
      expect(JSON.stringify(request?.body)).toContain('Reads a file.');
      if (vendor.name === 'google') expect(JSON.stringify(request?.body)).toContain('"thoughtSignature":"signed"');
    });

    test('takes a history of others: odd ids, foreign thinking, calls that nobody answered', async () => {
      const foreign: IContent[] = [
        ...hello,
        {
          speaker: 'ai',
          blocks: [
            { type: 'thinking', thought: 'Hm.', signature: 'theirs', sourceField: 'thinking' },
            { type: 'tool_call', id: 'a:b/1', name: 'Bash', parameters: 'ls' },
          ],
        },
        createUserMessage('Go on.'),
      ];
      const { outcome } = await ask(foreign, [stream(whole)]);
      expect(outcome.kind).toBe('answer');
      const body = JSON.stringify(server.requests[0]?.body);
      expect(body).not.toContain('theirs');
      expect(wire.readResults(server.requests[0]?.body)).toHaveLength(1);
    });

    test('failures are values, without the key', async () => {
      const refusal = await ask(hello, [plain(401, wire.errorBody(`Incorrect API key provided: ${KEY}.`, 'oops'))]);
      expect(refusal.outcome).toMatchObject({ kind: 'failed', failure: 'refused' });
      expect(JSON.stringify(refusal.outcome)).not.toContain(KEY);
      const busy = await ask(hello, [stream([...whole.slice(0, 3), wire.busyEvent])]);
      expect(busy.outcome).toMatchObject({ kind: 'failed', failure: 'transient' });
      const cut = await ask(hello, [cutStream(whole.slice(0, 3), 'cut')]);
      expect(cut.outcome).toMatchObject({
        kind: 'failed',
        failure: 'transient',
        message: `${vendor.name}: the connection broke before the answer ended`,
      });
      const empty = await ask(hello, [stream(wire.events({ texts: [''], ending: 'stop' }))]);
      expect(empty.outcome).toMatchObject({ kind: 'failed', failure: 'malformed' });
    });

    test('an abort throws its reason and leaves the server', async () => {
      const stop = new AbortController();
      const seen = new Promise<Answer>((resolve) => {
        const answer: Answer = (response, closed) => {
          resolve(answer);
          return silentStream(whole.slice(0, 2))(response, closed);
        };
        void ask(hello, [answer], stop.signal).catch(() => {});
      });
      await seen;
      stop.abort(new Error('enough'));
      await server.clientLeft;
      await expect(ask(hello, [stream(whole)], AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    });
  });
}
