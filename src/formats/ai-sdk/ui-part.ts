import { asText, type Fields, isRecord } from '../../content/foreign-value.ts';
import type { Message } from '../messages/message-list.ts';

/** The parts of a message. */
export const partsOf = ({ parts }: Message): readonly unknown[] => (Array.isArray(parts) ? parts : []);

/** True if a part is a tool call, with or without its result. */
export const isToolPart = (part: unknown): part is Fields =>
  isRecord(part) && (part['type'] === 'dynamic-tool' || asText(part['type']).startsWith('tool-'));

/** The name of the tool of a tool part. */
export const toolNameOf = (part: Fields): string =>
  part['type'] === 'dynamic-tool' ? asText(part['toolName']) || 'unknown' : asText(part['type']).slice('tool-'.length);
