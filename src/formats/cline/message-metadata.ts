import type { ContentMetadata } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { recordedMetadata } from '../blocks/entry-metadata.ts';
import type { Message } from '../messages/message-list.ts';
import { recordedUsage } from '../usage/usage-report.ts';
import { USAGE_REPORTS } from './usage.ts';

/** The metadata of the entries of a message; model and usage only of an answer. */
export function metadataOf(message: Message, isAnswer: boolean): ContentMetadata {
  const { ts, modelInfo, metrics, isSummary } = message;
  const usage = isAnswer ? recordedUsage(metrics, USAGE_REPORTS) : undefined;
  const model = isAnswer && isRecord(modelInfo) ? (modelInfo['id'] ?? modelInfo['modelId']) : undefined;
  const timestamp = typeof ts === 'number' ? ts : undefined;
  return recordedMetadata({ timestamp, model, usage, isSummary: isSummary === true });
}
