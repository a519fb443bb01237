import type { LiveApi } from '../../live/contract.ts';
import { mostGrownBytes } from '../intake/request-body.ts';
import type { AnswerFacts } from './answer-facts.ts';
import { type AnswerReader, eventReader, jsonReader } from './answer-reader.ts';
import { copyDecoder } from './copy-decoder.ts';
import type { CopyRoom } from './copy-room.ts';

/** The most that one copy holds: of what is not decoded yet, and of an answer or an event that is not whole yet. */
const MOST_HELD_BYTES = 16 * 1024 * 1024;

/** A copy of an answer while it goes through. */
export interface AnswerCopy {
  write(chunk: Uint8Array): void;
  end(): Promise<AnswerFacts>;
}

interface CopyOptions {
  /** The content type. */
  readonly type: string;
  /** The content encoding; empty without one. */
  readonly encoding: string;
  readonly room: CopyRoom;
}

/**
 * Reads the usage out of a copy of an answer. A copy that would hold too much, or grows more than answers do when it is decoded, is
 * given up: it may never hold the agent, and its usage is unknown.
 */
export function answerCopy(api: LiveApi, { type, encoding, room }: CopyOptions): AnswerCopy {
  const place = room.place();
  // Undefined: the copy is given up.
  let reader: AnswerReader | undefined = type.includes('event-stream') ? eventReader(api) : jsonReader(api);
  let receivedBytes = 0;
  let decodedBytes = 0;
  const decoder = copyDecoder(encoding, (bytes) => {
    decodedBytes += bytes.length;
    reader?.read(bytes);
    keepWithin();
  });
  const keepWithin = (): void => {
    if (reader === undefined) return;
    const heldBytes = decoder.waitingBytes + reader.heldBytes;
    const isSmall = heldBytes <= MOST_HELD_BYTES && decodedBytes <= mostGrownBytes(receivedBytes);
    if (isSmall && place.hold(heldBytes)) return;
    reader = undefined;
    decoder.destroy();
    place.hold(0);
  };
  return {
    write: (chunk) => {
      if (reader === undefined) return;
      receivedBytes += chunk.length;
      decoder.write(chunk);
      keepWithin();
    },
    end: async () => {
      await decoder.end();
      place.hold(0);
      return reader?.facts() ?? {};
    },
  };
}
