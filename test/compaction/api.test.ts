import { readFileSync } from 'node:fs';
import path from 'node:path';
import type {
  CompactOptions,
  CompactResult,
  CompactStats,
  FileReader,
  FileWriter,
  LlmClient,
  Logger,
  Message,
  RestoreOptions,
} from 'high-density/compact';
import * as compact from 'high-density/compact';
import { describe, expect, expectTypeOf, test } from 'vitest';

interface CacheControl {
  type: 'ephemeral';
  ttl?: '5m' | '1h';
}
type ContentBlockParam =
  | { text: string; type: 'text'; cache_control?: CacheControl | null }
  | {
      type: 'image';
      source:
        | { data: string; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; type: 'base64' }
        | { type: 'url'; url: string };
      cache_control?: CacheControl | null;
    }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown; cache_control?: CacheControl | null }
  | ToolResultBlockParam
  | {
      type: 'document';
      source:
        | { data: string; media_type: 'application/pdf'; type: 'base64' }
        | { data: string; media_type: 'text/plain'; type: 'text' }
        | { type: 'url'; url: string };
      title?: string | null;
      context?: string | null;
    };
interface ToolResultBlockParam {
  tool_use_id: string;
  type: 'tool_result';
  content?: string | { type: 'text'; text: string }[];
  is_error?: boolean;
}
/** A type of block that an SDK of tomorrow may add. */
interface FutureParam {
  role: 'user' | 'assistant';
  content: string | (ContentBlockParam | { type: 'hologram'; beam: number })[];
}

describe('high-density/compact', () => {
  test('exposes exactly the public API (4.3)', () => {
    expect(Object.keys(compact).sort()).toEqual([
      'assembleMessages',
      'compactMessages',
      'partitionMessages',
      'restoreRecentFiles',
      'shouldCompact',
    ]);
  });

  test('loads neither the command nor threads nor the client of a vendor before they are needed', () => {
    const loaded = new Set<string>();
    const load = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      if (!file.startsWith('src/')) return;
      const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)';/gms);
      for (const [, name = ''] of imports) {
        load(name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name);
      }
    };
    load('src/entries/compact.ts');
    expect(loaded).toContain('src/tokens/exact/exact-counter.ts');
    const heavy =
      /^src\/(?:cli|offload|replay|gate)\/|worker_threads|^(?:ai|piscina|comlink|p-queue|commander)$|^@ai-sdk/;
    expect([...loaded].filter((name) => heavy.test(name))).toEqual([]);
  });

  test('lists of any version of `MessageParam` are accepted and returned (4.4)', () => {
    const typed = async () => {
      let messages: FutureParam[] = [];
      messages = (await compact.compactMessages(messages)).messages;
      messages.push({ role: 'user', content: 'Go on.' });
      return messages;
    };
    expectTypeOf(typed).returns.resolves.toEqualTypeOf<FutureParam[]>();
    expectTypeOf<CompactResult['messages']>().toExtend<Message[]>();
  });

  test('the shapes are those of the specification (F-003 to F-009)', () => {
    expectTypeOf(compact.compactMessages<Message>).returns.resolves.toExtend<{
      messages: Message[];
      compacted: boolean;
      stats: CompactStats | null;
      originalMessagesPath: string | null;
    }>();
    expectTypeOf(compact.shouldCompact).returns.resolves.toEqualTypeOf<boolean>();
    expectTypeOf(compact.partitionMessages<Message>).returns.toEqualTypeOf<{ head: Message[]; rest: Message[] }>();
    expectTypeOf(compact.assembleMessages<Message>).returns.toExtend<Message[]>();
    expectTypeOf(compact.restoreRecentFiles).returns.resolves.toExtend<{ messages: Message[]; totalTokens: number }>();
    expectTypeOf<keyof CompactStats>().toEqualTypeOf<
      | 'originalTokenCount'
      | 'compactedTokenCount'
      | 'compactionRatio'
      | 'compactedMessageCount'
      | 'retainedMessageCount'
      | 'restoredFileCount'
      | 'restoredTokenCount'
    >();
    expectTypeOf<
      | 'contextTokenLimit'
      | 'compactThresholdRatio'
      | 'summaryModel'
      | 'summaryMaxWords'
      | 'maxRetries'
      | 'outputDir'
      | 'sessionId'
      | 'maxRestoreFiles'
      | 'maxRestoreTokensPerFile'
      | 'maxRestoreTokensTotal'
      | 'workDir'
      | 'llmClient'
      | 'fileWriter'
      | 'fileReader'
      | 'logger'
      | 'signal'
    >().toExtend<keyof CompactOptions>();
    expectTypeOf<'tailRetentionRatio'>().not.toExtend<keyof CompactOptions>();
    expectTypeOf<keyof LlmClient>().toEqualTypeOf<'countTokens' | 'summarize'>();
    expectTypeOf<keyof FileWriter>().toEqualTypeOf<'write'>();
    expectTypeOf<keyof FileReader>().toEqualTypeOf<'read' | 'exists'>();
    expectTypeOf<keyof Logger>().toEqualTypeOf<'info' | 'warn' | 'error'>();
    expectTypeOf<RestoreOptions['fileReader']>().toEqualTypeOf<FileReader>();
  });

  test('clients, writers, readers and loggers may be as simple as the specification has them', () => {
    expectTypeOf<{
      countTokens(messages: readonly unknown[], model: string): Promise<number>;
      summarize(prompt: string, model: string): Promise<string>;
    }>().toExtend<LlmClient>();
    expectTypeOf<{ write(path: string, content: string): Promise<void> }>().toExtend<FileWriter>();
    expectTypeOf<{
      read(path: string): Promise<string>;
      exists(path: string): Promise<boolean>;
    }>().toExtend<FileReader>();
    expectTypeOf<Console>().toExtend<Logger>();
  });
});
