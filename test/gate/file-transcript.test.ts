import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { highDensity } from '../../src/formats/high-density/high-density.ts';
import { linesOfText } from '../../src/formats/lines/lines.ts';
import { FileTranscript } from '../../src/gate/file-transcript.ts';
import { createHistory } from '../history/entries.ts';
import { runs } from '../property-runs.ts';
import { createScene, density } from './fixtures.ts';

const root = mkdtempSync(path.join(tmpdir(), 'density-transcript-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let files = 0;
const fresh = (): string => path.join(root, `folder-${files++}`, 'session.transcript.jsonl');
const said = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
const blocksIn = (file: string) =>
  liveHistory(highDensity.read(linesOfText(readFileSync(file, 'utf8')))).map(({ blocks }) => blocks);

describe('FileTranscript', () => {
  test('appends the entries of each step to a file that only its owner may read (docs/readings.md, row 22)', async () => {
    const file = fresh();
    const transcript = new FileTranscript(file);
    await transcript.append([said('one'), said('two')]);
    const before = readFileSync(file, 'utf8');
    await transcript.append([]);
    expect(readFileSync(file, 'utf8')).toBe(before);
    await transcript.append([said('three')]);
    expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true);
    expect(blocksIn(file)).toEqual([said('one'), said('two'), said('three')].map(({ blocks }) => blocks));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
  });

  test('the rest of an interrupted write does not damage later lines', async () => {
    const file = fresh();
    await new FileTranscript(file).append([said('whole')]);
    appendFileSync(file, '{"speaker":"human","blo');
    await new FileTranscript(file).append([said('after')]);
    expect(blocksIn(file)).toEqual([said('whole'), said('after')].map(({ blocks }) => blocks));
  });

  test('simultaneous appends from several sinks lose and mix no lines', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.string({ maxLength: 2_000, unit: 'binary' }), { minLength: 1, maxLength: 5 }), {
          minLength: 1,
          maxLength: 8,
        }),
        async (steps) => {
          const file = fresh();
          const sinks = [new FileTranscript(file), new FileTranscript(file)];
          await Promise.all(steps.map((texts, at) => sinks[at % 2]!.append(texts.map((text) => said(`-${text}`)))));
          const session = highDensity.read(linesOfText(readFileSync(file, 'utf8')));
          expect(session.skipped).toEqual([]);
          const found = liveHistory(session).map(({ blocks }) => JSON.stringify(blocks));
          const given = steps.flat().map((text) => JSON.stringify(said(`-${text}`).blocks));
          expect(found.sort()).toEqual(given.sort());
        },
      ),
      { numRuns: runs(25) },
    );
  });

  test('a step does not happen if it cannot be written, and a later one can (law 9)', async () => {
    const file = path.join(root, 'is-a-folder');
    const history = createHistory([said('stale'), said('kept')]);
    const blocked = new FileTranscript(path.join(file, 'below', '..', '..', 'is-a-folder', '\0'));
    const { gate, strategy } = createScene({ history, transcript: blocked });
    strategy.onOptimize = () => density([0]);
    await expect(gate.ensureDensityOptimized()).rejects.toThrow();
    expect(history.getAll()).toHaveLength(2);
  });

  test('a gate appends every entry before a step removes it, and summaries can name the file', async () => {
    const file = fresh();
    const transcript = new FileTranscript(file, { id: 'session-1', model: 'gpt-4o', workspaceRoot: '/repo' });
    const history = createHistory([said('stale'), said('kept'), said('last')]);
    const { gate, strategy } = createScene({ history, transcript });
    strategy.onOptimize = (entries) => density(entries.length === 3 ? [0] : []);
    await gate.ensureDensityOptimized();
    strategy.onCompress = ({ history: curated, transcriptPath }) => {
      expect(transcriptPath).toBe(file);
      return curated.slice(-1);
    };
    await gate.performCompression('prompt');
    expect(blocksIn(file)).toEqual([said('stale'), said('kept')].map(({ blocks }) => blocks));
    expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[0]!)).toMatchObject({
      id: 'session-1',
      workspaceRoot: '/repo',
    });
  });
});
