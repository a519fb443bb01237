import { createParser } from 'eventsource-parser';
import type { LiveApi } from '../../live/contract.ts';
import { type AnswerFacts, factsWith } from './answer-facts.ts';
import { TOOL_WAITS } from './tool-wait.ts';

/** Reads what an answer says, part by part. */
export interface AnswerReader {
  /** Bytes of what is not whole yet. */
  readonly heldBytes: number;
  read(part: Uint8Array): void;
  facts(): AnswerFacts;
}

/** Reads an answer that is one JSON text. */
export function jsonReader(api: LiveApi): AnswerReader {
  const parts: Uint8Array[] = [];
  let heldBytes = 0;
  return {
    get heldBytes() {
      return heldBytes;
    },
    read: (part) => {
      parts.push(part);
      heldBytes += part.length;
    },
    facts: () => factsWith({}, api, Buffer.concat(parts)),
  };
}

/** Most events of a stream are parts of a text: those are not parsed, and parts with nothing else are not even decoded. */
const isTelling = (event: string | Buffer, { model, isToolWait }: AnswerFacts, api: LiveApi): boolean =>
  model === undefined ||
  event.includes('sage') ||
  event.includes('"error"') ||
  (!isToolWait && event.includes(TOOL_WAITS[api].sign));

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** True if an empty line is at the end of a part of a stream: the event before it is whole. */
function endsEvent(part: Uint8Array): boolean {
  if (part.at(-1) !== LINE_FEED) return false;
  const before = part.at(-2);
  return before === LINE_FEED || (before === CARRIAGE_RETURN && part.at(-3) === LINE_FEED);
}

/** Reads an answer that is a stream of events. */
export function eventReader(api: LiveApi): AnswerReader {
  const decoder = new TextDecoder();
  let facts: AnswerFacts = {};
  let heldBytes = 0;
  let partBytes = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      // Of the next event, the parser has at most this part.
      heldBytes = partBytes;
      if (isTelling(data, facts, api)) facts = factsWith(facts, api, data);
    },
  });
  return {
    get heldBytes() {
      return heldBytes;
    },
    read: (part) => {
      const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
      if (heldBytes === 0 && endsEvent(part) && !isTelling(bytes, facts, api)) return;
      partBytes = part.length;
      heldBytes += partBytes;
      parser.feed(decoder.decode(part, { stream: true }));
      if (endsEvent(part)) heldBytes = 0;
    },
    facts: () => facts,
  };
}
