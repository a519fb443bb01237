import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OVERFLOW_SENTENCES } from '../../src/providers/failures/overflow.ts';
import { retryingProvider } from '../../src/providers/failures/retrying-provider.ts';
import { ModelProvider, type ModelProviderOptions } from '../../src/providers/model-provider.ts';
import type { Vendor } from '../../src/providers/vendors.ts';
import type { SummaryRequest } from '../../src/strategies/contract.ts';
import { type Answer, cutStream, endlessStream, Loopback, plain, silentStream, stream } from '../providers/loopback.ts';
import { WIRES } from '../providers/wires.ts';

const KEY = 'key-of-these-tests-0123456789';
const REQUEST: SummaryRequest = { instructions: 'Be brief.', input: 'What was said?', maxOutputTokens: 200 };

/** The contract of every vendor's provider: failures are values, abort is prompt, the key is never shown. */
export function providerContract(vendor: Vendor): void {
  const wire = WIRES[vendor.name]!;
  const server = new Loopback();
  let baseUrl: string;
  beforeAll(async () => {
    const origin = await server.start();
    baseUrl = wire.path.source.startsWith('^\\/v1\\/chat') || vendor.name === 'openai' ? `${origin}/v1` : origin;
  });
  afterAll(() => server.stop());

  const create = (options: ModelProviderOptions = {}): ModelProvider =>
    new ModelProvider(vendor, {
      model: 'test-model',
      baseUrl,
      environment: { [vendor.keyVariables[0]!]: KEY },
      ...options,
    });
  const whole = wire.events({ texts: ['It was ', 'said.'], ending: 'stop' });
  const outcomeOf = (...answers: Answer[]): Promise<unknown> => {
    server.willAnswer(...answers);
    return create().summarize(REQUEST);
  };
  const failed = (failure: string): object => ({ kind: 'failed', failure, message: expect.stringMatching(/^\S.*\S$/) });

  describe(`provider ${vendor.name}`, () => {
    test('puts a streamed answer together and says what it cost', async () => {
      expect(await outcomeOf(stream(whole))).toEqual({
        kind: 'summary',
        text: 'It was said.',
        isTruncated: false,
        usage: expect.objectContaining({ promptTokens: 11, completionTokens: 7, totalTokens: 18 }),
      });
    });

    test('sends instructions, input, limit and key where the vendor expects them', async () => {
      await outcomeOf(stream(whole));
      const [request] = server.requests;
      expect(request?.path).toMatch(wire.path);
      const [header, prefix] = wire.keyHeader;
      expect(request?.headers[header]).toBe(prefix + KEY);
      expect(wire.readRequest(request?.body)).toEqual(REQUEST_ON_WIRE);
      expect(JSON.stringify(request?.body)).not.toContain(KEY);
    });

    test('an empty answer is an empty text, not a failure of the vendor', async () => {
      expect(await outcomeOf(stream(wire.events({ texts: [''], ending: 'stop' })))).toMatchObject({
        kind: 'summary',
        text: '',
      });
    });

    test('an answer that stopped at the limit is truncated', async () => {
      const outcome = await outcomeOf(stream(wire.events({ texts: ['It was'], ending: 'length' })));
      expect(outcome).toMatchObject({ kind: 'summary', text: 'It was', isTruncated: true });
    });

    test('an answer that the vendor filtered is refused', async () => {
      expect(await outcomeOf(stream(wire.events({ texts: [''], ending: 'filter' })))).toEqual(failed('refused'));
    });

    test('an answer without end is given up', async () => {
      const [text] = wire
        .events({ texts: ['again and '.repeat(50)], ending: 'stop' })
        .filter((e) => e.includes('again'));
      const opening = whole.slice(
        0,
        whole.findIndex((e) => e.includes('It was')),
      );
      expect(await outcomeOf(endlessStream(opening, text!))).toEqual(failed('malformed'));
      await server.clientLeft;
    });

    test.each([408, 409, 429, 500, 502, 503, 529])('status %i is transient', async (status) => {
      const body = wire.errorBody('Try again later.', 'api_error');
      expect(await outcomeOf(plain(status, body))).toEqual(failed('transient'));
    });

    test('says how long to wait where the vendor does', async () => {
      const body = wire.errorBody('Slow down.', 'rate_limit_error');
      expect(await outcomeOf(plain(429, body, { 'retry-after': '7' }))).toMatchObject({ retryAfterMs: 7000 });
      expect(await outcomeOf(plain(429, body))).not.toHaveProperty('retryAfterMs');
    });

    test.each([400, 401, 403, 404, 422])('status %i is refused, and the key is not repeated', async (status) => {
      const outcome = await outcomeOf(plain(status, wire.errorBody(`Incorrect API key provided: ${KEY}.`, 'oops')));
      expect(outcome).toEqual(failed('refused'));
      expect(JSON.stringify(outcome)).not.toContain(KEY);
    });

    test('a used-up account is refused although its status is 429', async () => {
      const body = wire.errorBody('You exceeded your current quota, please check your plan and billing details.', 'x');
      expect(await outcomeOf(plain(429, body))).toEqual(failed('refused'));
    });

    test.each(OVERFLOW_SENTENCES.map(({ evidence }) => evidence))('"%s" is an overflow', async (evidence) => {
      expect(await outcomeOf(plain(400, wire.errorBody(evidence, 'invalid_request_error')))).toEqual(
        failed('overflow'),
      );
    });

    test('status 413 is an overflow', async () => {
      expect(await outcomeOf(plain(413, 'Payload Too Large'))).toEqual(failed('overflow'));
    });

    test('an error inside a stream is a transient failure', async () => {
      expect(await outcomeOf(stream([...whole.slice(0, 3), wire.busyEvent]))).toEqual(failed('transient'));
    });

    test.each(['cut', 'politely'] as const)('an answer whose connection ends early (%s) is transient', async (how) => {
      const untilText = whole.findIndex((event) => event.includes('It was')) + 1;
      expect(await outcomeOf(cutStream(whole.slice(0, untilText), how))).toEqual(failed('transient'));
    });

    test('a connection that is cut before a word is transient', async () => {
      expect(await outcomeOf((response) => void response.destroy())).toEqual(failed('transient'));
    });

    test.each(['<html>Sign in to the network</html>', '', '{"ok":true}', 'data: {"half\n\n', 'data: 42\n\n'])(
      'an answer that is none (%j) is malformed',
      async (body) => {
        expect(await outcomeOf(plain(200, body, { 'content-type': 'text/event-stream' }))).toEqual(failed('malformed'));
      },
    );

    test('a server that is not there is transient', async () => {
      const nowhere = create({ baseUrl: 'http://127.0.0.1:9/v1' });
      expect(await nowhere.summarize(REQUEST)).toEqual(failed('transient'));
    });

    test('a server that falls silent is given up as transient', async () => {
      server.willAnswer(silentStream(whole.slice(0, 3)));
      expect(await create({ idleMs: 50 }).summarize(REQUEST)).toEqual(failed('transient'));
      await server.clientLeft;
    });

    test('an answer that only drips is given up at the deadline, as transient', async () => {
      const [drop] = wire
        .events({ texts: [''], ending: 'stop' })
        .filter((event) => /"(?:text|delta|content)":""/.test(event));
      server.willAnswer(
        endlessStream(
          whole.slice(
            0,
            whole.findIndex((event) => event.includes('It was')),
          ),
          drop!,
        ),
      );
      const patient = retryingProvider(create(), { deadlineMs: 150, maxRetries: 0 });
      expect(await patient.summarize(REQUEST)).toEqual(failed('transient'));
      await server.clientLeft;
    });

    test('an abort throws its reason at once and leaves the server, before and during an answer', async () => {
      const reason = new Error('enough');
      await expect(create().summarize({ ...REQUEST, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      for (const events of [[], whole.slice(0, 3)]) {
        const stop = new AbortController();
        const seen = new Promise<void>((resolve) => {
          server.willAnswer((response, closed) => {
            resolve();
            return silentStream(events)(response, closed);
          });
        });
        const outcome = create().summarize({ ...REQUEST, signal: stop.signal });
        await seen;
        stop.abort(reason);
        await expect(outcome).rejects.toBe(reason);
        await server.clientLeft;
      }
    });

    test('without a key in the environment it says which variable to set', () => {
      const bare = (): ModelProvider => create({ environment: {} });
      if (vendor.worksWithoutKey) expect(bare().name).toBe(vendor.name);
      else expect(bare).toThrow(expect.objectContaining({ code: 'PROVIDER_NOT_CONFIGURED' }));
      if (!vendor.worksWithoutKey) expect(bare).toThrow(vendor.keyVariables[0]);
    });

    test('shows no key when it is printed', () => {
      expect(JSON.stringify(create())).not.toContain(KEY);
      expect(Object.values(create())).not.toContain(KEY);
    });
  });
}

const REQUEST_ON_WIRE = { instructions: 'Be brief.', input: 'What was said?', maxOutputTokens: 200 };
