import { answerCopy } from '../answer/answer-copy.ts';
import type { AnswerFacts } from '../answer/answer-facts.ts';
import { CopyRoom } from '../answer/copy-room.ts';
import { headerPairs } from '../answer/error-text.ts';
import type { Upstream } from '../upstream.ts';
import type { PingRequest } from './ping-request.ts';

/** The answer to a ping. */
export interface PingAnswer {
  readonly status: number;
  /** Names and values, one after the other. */
  readonly headers: readonly string[];
  readonly facts: AnswerFacts;
}

/** Sends a ping and reads its answer to the end. @throws when the provider cannot be reached or the signal is aborted. */
export type SendPing = (ping: PingRequest, signal: AbortSignal) => Promise<PingAnswer>;

/** Sends pings as requests of agents are sent. */
export function sendsPings(upstream: Upstream): SendPing {
  const room = new CopyRoom();
  return async ({ target, method, headers, body }, signal) => {
    const answer = await upstream.send({ target, method, headers, body, signal });
    const values = new Map(headerPairs(answer.headers).map(([name, value]) => [name.toLowerCase(), value]));
    const copy = answerCopy('anthropic-messages', {
      type: values.get('content-type') ?? '',
      encoding: values.get('content-encoding') ?? '',
      room,
    });
    let facts: AnswerFacts;
    try {
      for await (const chunk of answer.body) copy.write(chunk as Uint8Array);
    } finally {
      facts = await copy.end();
    }
    return { status: answer.status, headers: answer.headers, facts };
  };
}
