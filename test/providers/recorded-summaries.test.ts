import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RecordedSummaries } from '../../src/providers/recorded-summaries.ts';
import type { SummaryRequest } from '../../src/strategies/contract.ts';
import { FakeSummarizer, written } from '../strategies/fake-summarizer.ts';

const REQUEST: SummaryRequest = { instructions: 'Be brief.', input: 'What was said?', maxOutputTokens: 10 };
const OTHER: SummaryRequest = { ...REQUEST, input: 'What else?' };

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'summaries-'));
  file = path.join(folder, 'summaries.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('recorded summaries', () => {
  test('repeat a recorded answer without a request', async () => {
    const model = new FakeSummarizer(written('one'), written('two', true));
    const recording = await RecordedSummaries.open(file, model);
    expect(await recording.summarize(REQUEST)).toEqual(written('one'));
    expect(await recording.summarize(REQUEST)).toEqual(written('one'));
    expect(await recording.summarize(OTHER)).toEqual(written('two', true));
    expect(model.requests).toHaveLength(2);

    const replaying = await RecordedSummaries.open(file);
    expect(await replaying.summarize(OTHER)).toEqual(written('two', true));
    expect(await replaying.summarize(REQUEST)).toEqual(written('one'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('without a provider, a request without a recorded answer fails', async () => {
    await (await RecordedSummaries.open(file, new FakeSummarizer())).summarize(REQUEST);
    const replaying = await RecordedSummaries.open(file);
    for (const request of [OTHER, { ...REQUEST, instructions: '' }, { ...REQUEST, maxOutputTokens: 11 }]) {
      expect(await replaying.summarize(request)).toMatchObject({ kind: 'failed', failure: 'refused' });
    }
  });

  test('do not keep failures', async () => {
    const busy = { kind: 'failed', failure: 'transient', message: 'busy' } as const;
    const recording = await RecordedSummaries.open(file, new FakeSummarizer(busy, written('one')));
    expect(await recording.summarize(REQUEST)).toBe(busy);
    expect(await recording.summarize(REQUEST)).toEqual(written('one'));
    expect(readFileSync(file, 'utf8').match(/"key"/g)).toHaveLength(1);
  });

  test('survive a recording that was cut off in the middle of a line', async () => {
    await (await RecordedSummaries.open(file, new FakeSummarizer(written('one')))).summarize(REQUEST);
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n{"key":"ab`);
    const recording = await RecordedSummaries.open(file, new FakeSummarizer(written('two')));
    expect(await recording.summarize(REQUEST)).toEqual(written('one'));
    await recording.summarize(OTHER);
    const replaying = await RecordedSummaries.open(file);
    expect(await replaying.summarize(OTHER)).toEqual(written('two'));
  });

  test('another kind of file is reported with the entry', async () => {
    writeFileSync(file, '{"type":"user"}\n{}\n');
    await expect(RecordedSummaries.open(file)).rejects.toMatchObject({
      code: 'SUMMARIES_UNREADABLE',
      message: expect.stringMatching(/summaries\.jsonl.*entry 1/),
    });
    writeFileSync(file, 'notes of mine');
    await expect(RecordedSummaries.open(file)).rejects.toMatchObject({ code: 'SUMMARIES_UNREADABLE' });
    await expect(RecordedSummaries.open(path.join(folder, 'none'))).rejects.toMatchObject({
      code: 'SUMMARIES_UNREADABLE',
    });
  });

  test('an abort is an abort', async () => {
    const reason = new Error('enough');
    const recording = await RecordedSummaries.open(file, new FakeSummarizer());
    await expect(recording.summarize({ ...REQUEST, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
