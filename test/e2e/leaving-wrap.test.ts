import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createToolResponse, type IContent } from '../../src/content/content.ts';
import { claudeCode } from '../../src/formats/claude-code/claude-code.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { linesOf } from '../../src/formats/lines/lines.ts';
import { UpstreamServer } from '../proxy/upstream-server.ts';
import { Computer, jsonLines } from './density.ts';
import { TestTerminal } from './test-terminal.ts';

const upstream = new UpstreamServer();
let base: URL;
beforeAll(async () => {
  base = await upstream.start();
});
afterAll(() => upstream.stop());
beforeEach(() => {
  upstream.seen.length = 0;
  upstream.answer = (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"model":"claude-sonnet-4-5","usage":{"input_tokens":1000,"output_tokens":50}}');
});

const ID = '3f2b8c1e-0000-4000-8000-000000000001';
const HOUR_SECONDS = 3_600;

/** A computer with the agent `loop`, and with what Claude Code would have recorded of its calls. */
function withLoop() {
  const computer = new Computer();
  const bin = path.join(computer.home, 'bin');
  mkdirSync(bin);
  copyFileSync(path.resolve(import.meta.dirname, '../fixtures/loop-agent.mjs'), path.join(bin, 'loop'));
  chmodSync(path.join(bin, 'loop'), 0o755);
  const PATH = `${bin}${path.delimiter}${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH']}`;
  const environment = { PATH, LOOP_BASE_URL: base.href.replace(/\/$/, '') };
  const text = Array.from({ length: 400 }, (_, line) => `export const value${line} = ${line};`).join('\n');
  const entries: IContent[] = [{ speaker: 'human', blocks: [{ type: 'text', text: 'Please look at a.ts.' }] }];
  for (const number of [0, 1, 2]) {
    const call = { id: `toolu_${number}`, name: 'Read', parameters: { file_path: '/w/a.ts', limit: 500 + number } };
    entries.push({ speaker: 'ai', blocks: [{ type: 'tool_call', ...call }] });
    entries.push(createToolResponse(call.id, 'Read', text));
  }
  entries.push({ speaker: 'ai', blocks: [{ type: 'text', text: 'Done.' }] });
  const facts = { id: ID, model: 'claude-sonnet-4-5', workspaceRoot: computer.folder, startedAt: Date.now() };
  const place = `.claude/projects/${computer.folder.replaceAll(/[^\w]/g, '-')}`;
  const file = computer.write(`${place}/${ID}.jsonl`, Buffer.concat([...claudeCode.create!(entries, facts)]));
  /** Its agent writes to it while it is wrapped, and no more when somebody resumes it. */
  const wrote = (secondsAgo: number): void =>
    utimesSync(file, Date.now() / 1_000 - secondsAgo, Date.now() / 1_000 - secondsAgo);
  wrote(-HOUR_SECONDS);
  const wrap = (calls: string, ...options: string[]) =>
    computer.run(['wrap', ...options, '--env', 'LOOP_BASE_URL', 'loop', calls], environment);
  return { computer, environment, file, wrote, wrap };
}

/** The results of the last request that arrived. */
function sentResults(): (string | undefined)[] {
  const { messages } = JSON.parse(String(upstream.seen.at(-1)!.body)) as {
    messages: { content: { content?: string }[] }[];
  };
  return messages.flatMap(({ content }) => content.flatMap((block) => block.content ?? []));
}

const resultsIn = (file: string): unknown[] =>
  liveHistory(claudeCode.read(linesOf(() => [readFileSync(file)]))).flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool_response' ? [block.result] : [])),
  );

describe('leaving density wrap', () => {
  test('is said with the commands that go on without loss, where something was sent in a shorter form', async () => {
    const { computer, wrap } = withLoop();
    expect((await wrap('1')).err).not.toContain('shorter forms');
    expect((await wrap('4', '--shadow')).err).not.toContain('shorter forms');
    const here = async () => {
      const [told] = jsonLines((await computer.run(['doctor', '--json'])).out);
      return (told!['findings'] as { check: string }[]).filter(({ check }) => check.endsWith(' here'));
    };
    expect(await here()).toEqual([]);
    const { err } = await wrap('4');
    const [listed] = jsonLines((await computer.run(['sessions', '--json'])).out);
    expect(err).toContain(
      `\ndensity: this conversation was sent in shorter forms; resume it through \`density wrap --env LOOP_BASE_URL loop …\`, or with \`density optimize ${listed!['id']} --start\`. The agent alone would send the whole texts, and write them to the cache\n`,
    );
    expect(await here()).toEqual([
      {
        check: 'Claude Code here',
        isFine: true,
        isNotable: true,
        says: `was sent in shorter forms; resume it through \`density wrap\`, or with \`density optimize ${listed!['id']} --start\``,
      },
    ]);
  });

  test('is said once for each folder before the agent starts', async () => {
    const { computer, environment } = withLoop();
    const other = path.join(computer.home, 'other');
    mkdirSync(other);
    const told: boolean[] = [];
    for (const cwd of [computer.folder, computer.folder, other]) {
      const args = ['wrap', '--env', 'LOOP_BASE_URL', 'loop', '1'];
      const terminal = new TestTerminal(args, { cwd, home: computer.home, environment });
      expect(await terminal.exited).toBe(0);
      told.push(terminal.raw.includes('what is sent in a shorter form stays so'));
    }
    expect(told).toEqual([true, false, true]);
  });

  test('density optimize --start makes one copy with what was sent, which is then gone on from as it is', async () => {
    const { computer, file, wrote, wrap } = withLoop();
    await wrap('4');
    const sent = sentResults();
    wrote(60);
    const told = async (session: string) =>
      jsonLines((await computer.run(['optimize', session, '--start', '--dry-run', '--json'])).out)[0]!;
    const before = readFileSync(file);
    expect(await told(ID)).toMatchObject({ sentForms: 2, output: null, make: expect.stringContaining(' --start') });
    const agent = computer.write('agents/claude', '#!/bin/sh\necho "started $@"\n');
    chmodSync(agent, 0o755);
    const PATH = `${path.dirname(agent)}${path.delimiter}${process.env['PATH']}`;
    const { code, out } = await computer.runApart(['optimize', ID, '--start'], { PATH });
    expect([code, out]).toEqual([0, expect.stringContaining('2 entries were sent in shorter forms')]);
    const copy = path.join(path.dirname(file), `${/^started --resume ([\w-]{36})/m.exec(out)?.[1]}.jsonl`);
    expect(resultsIn(copy)).toEqual(sent);
    expect(sent.filter((text) => text?.includes('⟦density: '))).toHaveLength(2);
    expect(readFileSync(file)).toEqual(before);
    expect(await told(ID)).toMatchObject({ sentForms: 2, output: copy, make: null });
    utimesSync(copy, Date.now() / 1_000 - 60, Date.now() / 1_000 - 60);
    const copyId = path.basename(copy, '.jsonl');
    expect(await told(copyId)).toMatchObject({
      sentForms: 0,
      output: null,
      resume: expect.stringContaining(copyId),
    });
    expect(readdirSync(path.dirname(file)).filter((name) => !name.includes('transcript'))).toHaveLength(2);
  });

  test('density bill names density stats, and simulates no bill of calls that were pruned', async () => {
    const { computer, file, wrap } = withLoop();
    const [first, ...more] = readFileSync(file, 'utf8').trimEnd().split('\n').reverse();
    const answer = JSON.parse(first!);
    answer.message.usage = { input_tokens: 9_000, cache_read_input_tokens: 0, output_tokens: 5 };
    writeFileSync(file, `${[...more.reverse(), JSON.stringify(answer)].join('\n')}\n`);
    const bill = async () => (await computer.run(['bill', ID])).out.replaceAll('\n', ' ');
    expect(await bill()).toContain('With `recommended`, the same calls and pauses');
    await wrap('4');
    const pruned = await bill();
    expect(pruned).toContain(
      '1 session ran under density: what pruning saved in it is in `density stats`, and no profile is simulated for it.',
    );
    expect(pruned).not.toContain('With `recommended`');
  });
});
