import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createToolResponse, type IContent } from '../../src/content/content.ts';
import { claudeCode } from '../../src/formats/claude-code/claude-code.ts';
import { dollars } from '../../src/report/figures.ts';
import { UpstreamServer } from '../proxy/upstream-server.ts';
import { Computer, jsonLines, outcomeOf } from './density.ts';

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
      .end(
        '{"model":"claude-sonnet-4-5","usage":{"input_tokens":1000,"cache_read_input_tokens":9000,"output_tokens":50}}',
      );
});

/** A computer with the agents `loop` and `recall` on its PATH. */
function withAgent(): { computer: Computer; environment: Record<string, string> } {
  const computer = new Computer();
  const bin = path.join(computer.home, 'bin');
  mkdirSync(bin);
  for (const name of ['loop', 'recall']) {
    copyFileSync(path.resolve(import.meta.dirname, `../fixtures/${name}-agent.mjs`), path.join(bin, name));
    chmodSync(path.join(bin, name), 0o755);
  }
  const PATH = `${bin}${path.delimiter}${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH']}`;
  const url = base.href.replace(/\/$/, '');
  return { computer, environment: { PATH, LOOP_BASE_URL: url, RECALL_BASE_URL: url } };
}

/** The provider asks the agent to run the command in each marker that reaches it. */
function askForRemovedText(): void {
  upstream.answer = (response, { body }) => {
    const commands = String(body).match(/density show [0-9a-f]+/g) ?? [];
    const content = commands.map((command) => ({ type: 'tool_use', id: 'shell', name: 'Bash', input: { command } }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ content }));
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Of each request of the loop that was sent: how many of its results have another form. */
const changedResults = (): number[] =>
  upstream.seen.map(({ body }) => {
    const { messages } = JSON.parse(String(body)) as { messages: { content: { content?: string }[] }[] };
    const results = messages.flatMap(({ content }) => content.flatMap((block) => block.content ?? []));
    return results.filter((text) => !/^(?:\S+:\d+:)?export const value0 /.test(text)).length;
  });
const sentBodies = (): string[] => upstream.seen.splice(0).map(({ body }) => String(body));

const dataOf = (computer: Computer): string => path.join(computer.home, '.local/share/high-density');

describe('density wrap', () => {
  test('sends the requests of an agent through, with a marker in place of a repeated result', async () => {
    const { computer, environment } = withAgent();
    const { code, err } = await computer.run(['wrap', '--env', 'LOOP_BASE_URL', 'loop', '4'], environment);
    expect(code).toBe(0);
    expect(upstream.seen.map(({ url }) => url)).toEqual(Array(4).fill('/v1/messages'));
    const sizes = upstream.seen.map(({ body }) => body.length);
    // Each further request of the agent is 13 kB longer; only the first result is sent whole.
    expect(sizes[3]! - sizes[1]!).toBeLessThan(2_000);
    expect(err).toMatch(
      /density: 4 calls · 40\.0k tokens sent \(90% from the cache\) · .* left out · 2 results shortened · \$0\.0/,
    );
    const stats = jsonLines((await computer.run(['stats', '--json'])).out);
    expect(stats).toMatchObject([{ agents: [{ agent: 'loop', calls: 4, promptTokens: 40_000, changedResults: 2 }] }]);
    expect((await computer.run(['stats'])).out).toContain('Why results were shortened');
  });

  test('says once of a model without a price which one, and where to give it', async () => {
    const { computer, environment } = withAgent();
    const usage = { input_tokens: 1000, output_tokens: 50 };
    upstream.answer = (response) => response.end(JSON.stringify({ model: 'house-model-9', usage }));
    const { err } = await computer.run(['wrap', '--env', 'LOOP_BASE_URL', 'loop', '3'], environment);
    expect(err.split('No price is known of ')).toEqual([
      'density: ',
      expect.stringMatching(/^house-model-9: .* in the setting `model-prices`.*\n.*3 calls/),
    ]);
  });

  test('keeps the exit code, and leaves nothing behind but its own data, without any credential', async () => {
    const { computer, environment } = withAgent();
    expect((await computer.run(['wrap', '--env', 'LOOP_BASE_URL', 'loop', '3', '3'], environment)).code).toBe(3);
    const files = readdirSync(computer.home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const texts = files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8'));
    expect(texts.filter((text) => text.includes('secret-of-the-test') && !text.startsWith('#!'))).toEqual([]);
    expect(files.every(({ parentPath }) => parentPath.startsWith(dataOf(computer)) || parentPath.endsWith('bin'))).toBe(
      true,
    );
  });

  test('sends markers whose command prints the removed text in the shell of the agent', async () => {
    const { computer, environment } = withAgent();
    askForRemovedText();
    const { code, out, err } = await computer.runApart(['wrap', '--env', 'RECALL_BASE_URL', 'recall'], environment);
    expect([code, err]).toEqual([0, expect.stringContaining('3 results shortened')]);
    const sent = upstream.seen.map(({ body }) => String(body));
    expect([1, 7].map((at) => sent[at]?.includes('const old399 = 399;'))).toEqual([true, false]);
    expect(out).toContain('const old0 = 0;');
    expect(out).toContain('const old399 = 399;');
    const listed = await computer.run(['show']);
    expect(listed.out).toMatch(/^[0-9a-f]{12} {2}\S+ \S+ +2\.3k tokens {2}Read \/.*\/work\/a\.ts\n$/);
    expect(jsonLines((await computer.run(['show', '--json'])).out)).toMatchObject([
      { title: expect.stringMatching(/^Read .*a\.ts$/), tokens: expect.any(Number), sizeBytes: expect.any(Number) },
    ]);
  });

  test.each(['archive', ''])(
    'sends no marker, and every text, where "%s" of the data folder cannot be written',
    async (part) => {
      const { computer, environment } = withAgent();
      askForRemovedText();
      // No folder can be made below a file, whoever asks.
      computer.write(path.join('.local/share/high-density', part), '');
      const { code } = await computer.run(['wrap', '--env', 'RECALL_BASE_URL', 'recall'], environment);
      expect(code).toBe(0);
      const sent = upstream.seen.map(({ body }) => String(body));
      expect(sent.map((body) => body.includes('const old399 = 399;'))).toEqual([false, ...Array(7).fill(true)]);
      expect(sent.join('')).not.toMatch(/[[⟦]density: /);
    },
  );

  test('says once that the archive is full, and sends what would be lost', async () => {
    const { computer, environment } = withAgent();
    askForRemovedText();
    computer.write('work/.density.json', '{ "compression.density.archiveMegabytes": 1 }');
    const data = '.local/share/high-density/archive';
    computer.write(path.join(data, `${'a'.repeat(64)}.json`), 'x'.repeat(1_200_000));
    computer.write(path.join(data, '.full'), '');
    const { code, err } = await computer.run(['wrap', '--env', 'RECALL_BASE_URL', 'recall'], environment);
    expect([code, err.match(/it is full/g)?.length]).toEqual([0, 1]);
    expect(err).toMatch(/^density: removed text cannot be kept, .* makes room, .*$/m);
    expect(upstream.seen.map(({ body }) => String(body).includes('const old399 = 399;'))).toEqual([
      false,
      ...Array(7).fill(true),
    ]);
    expect(readdirSync(path.join(computer.home, data)).sort()).toEqual(['.full', `${'a'.repeat(64)}.json`]);
  });

  test.each([true, false])(
    'is read as it was sent by every command, where it changed something (%j)',
    async (isWrapped) => {
      const { computer, environment } = withAgent();
      const shadow = isWrapped ? [] : ['--shadow'];
      await computer.run(['wrap', ...shadow, '--env', 'LOOP_BASE_URL', 'loop', '4'], environment);
      const text = Array.from({ length: 400 }, (_, line) => `export const value${line} = ${line};`).join('\n');
      const usage = { promptTokens: 10_000, completionTokens: 50, totalTokens: 10_050 };
      const entries: IContent[] = [{ speaker: 'human', blocks: [{ type: 'text', text: 'Please look at a.ts.' }] }];
      for (const number of [0, 1, 2]) {
        const call = { id: `toolu_${number}`, name: 'Read', parameters: { file_path: '/w/a.ts' } };
        entries.push({ speaker: 'ai', blocks: [{ type: 'tool_call', ...call }], metadata: { usage } });
        entries.push(createToolResponse(call.id, 'Read', text));
      }
      entries.push({ speaker: 'ai', blocks: [{ type: 'text', text: 'Done.' }], metadata: { usage } });
      const facts = {
        id: '3f2b8c1e-0000-4000-8000-000000000001',
        model: 'claude-sonnet-4-5',
        startedAt: 1_700_000_000_000,
      };
      const pieces = [...claudeCode.create!(entries, facts)].map((piece) => Buffer.from(piece));
      const place = '.claude/projects/-w';
      const file = computer.write(`${place}/${facts.id}.jsonl`, Buffer.concat(pieces).toString());
      const jsonOf = async (...args: string[]) => jsonLines((await computer.run([...args, '--json'])).out);
      // All sizes and dollars that commands show of the session.
      const shownOf = async (session: string) => {
        const [listed] = (await jsonOf('sessions')).filter((one) => one['path'] === session);
        const [inspected] = await jsonOf('inspect', session);
        const [played] = await jsonOf('replay', session, '--strategy', 'high-density');
        const page = session.replace('.jsonl', '.html');
        const [reported] = await jsonOf('replay', session, '-o', page);
        const results = reported!['results'] as Record<string, unknown>[];
        const [billed] = await jsonOf('bill', session);
        const context = inspected!['context'] as { tokens: number };
        expect([played!['context'], ...results.map((one) => one['context'])]).toEqual(Array(4).fill(context));
        // A list shows the prompt of the last call, without its answer of 50 tokens.
        expect(listed!['tokens']).toBe(context.tokens - 50);
        const inPage = results.find(({ strategy }) => strategy === 'high-density')!;
        for (const name of ['dollarsRaw', 'dollars']) expect(inPage[name]).toBe(played![name]);
        const ownCalls = Number(played!['turns']) - Number(played!['turnsCopied']);
        expect([billed!['calls'], billed!['promptTokens']]).toEqual([ownCalls, played!['tokensSentRaw']]);
        return { inspected, context, played, bill: (await computer.run(['bill', session])).out };
      };
      const { inspected, context, played, bill } = await shownOf(file);
      const [pruned, raw] = [played!['dollars'], played!['dollarsRaw']].map((amount) => dollars(Number(amount)));
      const simulated = pruned === raw ? `about the same bill (${pruned},` : `(${pruned} instead of ${raw},`;
      expect(bill.replace(/\s+/g, ' ')).toContain(isWrapped ? '1 session ran under density' : simulated);
      const out = path.join(computer.home, place, '3f2b8c1e-0000-4000-8000-000000000002.jsonl');
      const [made] = await jsonOf('optimize', file, '-o', out);
      expect([context.tokens, made!['tokens']]).toEqual([10_050, 10_050]);
      expect((await shownOf(out)).context.tokens).toBe(made!['tokensAfter']);
      const whole = 3 * 3_900;
      // Only the first of three results was sent whole.
      if (isWrapped) expect(Number(inspected!['recordedTokens'])).toBeLessThan(whole / 2);
      else expect(Number(inspected!['recordedTokens'])).toBeGreaterThan(whole);
    },
  );

  test('is marked where the usage of a session shows it, and nothing here says what was sent', async () => {
    const computer = new Computer();
    const text = Array.from({ length: 400 }, (_, line) => `export const value${line} = ${line};`).join('\n');
    const entries: IContent[] = [{ speaker: 'human', blocks: [{ type: 'text', text: 'Please look at a.ts.' }] }];
    for (const [number, promptTokens] of [10_000, 14_100, 14_200, 14_300].entries()) {
      const call = { id: `toolu_${number}`, name: 'Read', parameters: { file_path: '/w/a.ts' } };
      const usage = { promptTokens, completionTokens: 50, totalTokens: promptTokens + 50 };
      entries.push({ speaker: 'ai', blocks: [{ type: 'tool_call', ...call }], metadata: { usage } });
      entries.push(createToolResponse(call.id, 'Read', text));
    }
    const facts = {
      id: '3f2b8c1e-0000-4000-8000-000000000001',
      model: 'claude-sonnet-4-5',
      startedAt: 1_700_000_000_000,
    };
    const file = computer.write('one.jsonl', Buffer.concat([...claudeCode.create!(entries, facts)]).toString());
    const note = 'Results were sent in shorter forms than are recorded here';
    for (const command of ['inspect', 'replay']) expect((await computer.run([command, file])).out).toContain(note);
    const [inspected] = jsonLines((await computer.run(['inspect', file, '--json'])).out);
    expect(inspected!['context']).toMatchObject({ isReported: true, isShortened: true });
  });

  test('with --shadow sends every request as it came, and says what would have been done', async () => {
    const { computer, environment } = withAgent();
    const { err } = await computer.run(['wrap', '--shadow', '--env', 'LOOP_BASE_URL', 'loop', '4'], environment);
    const [first, , , last] = upstream.seen.map(({ body }) => body.length);
    expect(last! - first!).toBeGreaterThan(3 * 11_000);
    expect(err).toContain('would have been left out');
  });

  test.each<[readonly string[], object, readonly number[]]>([
    [[], {}, [0, 1, 2]],
    [['--no-shape'], {}, [0, 0, 0]],
    [[], { 'compression.density.matchesByFile': false }, [0, 0, 0]],
    [[], { 'compression.profile': 'specification' }, [0, 0, 0]],
    [[], { 'live-pruning': 'off' }, [0, 0, 0]],
    [['--live-pruning', 'on'], { 'live-pruning': 'off' }, [0, 1, 2]],
    [[], { 'live-pruning': 'shadow' }, [0, 0, 0]],
    [['--shadow'], { 'live-pruning': 'off' }, [0, 0, 0]],
  ])('%j in a folder with the settings %j gives so many new results a form: %j', async (options, settings, forms) => {
    const { computer, environment } = withAgent();
    computer.write('work/.density.json', JSON.stringify(settings));
    const args = ['wrap', ...options, '--env', 'LOOP_BASE_URL', 'loop', '3'];
    const { err } = await computer.run(args, { ...environment, LOOP_SEARCHES: 'yes' });
    expect(changedResults()).toEqual(forms);
    const isShadow = options.includes('--shadow') || JSON.stringify(settings).includes('shadow');
    expect(err.includes('2 results would have been shortened')).toBe(isShadow);
  });

  test.each([{ 'live-pruning': 'off' }, { 'live-pruning': 'shadow' }])(
    'repeats what was sent before, and changes nothing new, where a folder says %j',
    async (settings) => {
      const { computer, environment } = withAgent();
      const run = (calls: string) => computer.run(['wrap', '--env', 'LOOP_BASE_URL', 'loop', calls], environment);
      await run('4');
      expect(changedResults()).toEqual([0, 0, 1, 2]);
      const before = sentBodies();
      computer.write('work/.density.json', JSON.stringify(settings));
      await run('6');
      expect(changedResults()).toEqual([0, 0, 1, 2, 2, 2]);
      expect(sentBodies().slice(0, 4)).toEqual(before);
    },
  );

  test('changes nothing new in a conversation that `density off` names, until `density on`', async () => {
    const { computer, environment } = withAgent();
    const run = (calls: string) => computer.run(['wrap', '--env', 'LOOP_BASE_URL', 'loop', calls], environment);
    expect((await computer.run(['off'])).err).toContain('Start an agent with `density wrap claude`');
    await run('4');
    const before = sentBodies();
    const [listed] = jsonLines((await computer.run(['off', '--json'])).out);
    expect(listed).toMatchObject({ isOff: false, agent: 'loop', model: 'claude-sonnet-4-5', calls: 4 });
    const name = String(listed!['conversation']);
    const off = await computer.run(['off', name.slice(0, 6)]);
    expect([off.code, off.out]).toEqual([0, expect.stringContaining(`${name} (loop, claude-sonnet-4-5): nothing new`)]);
    expect(off.err).toBe(`next: density on ${name}\n`);
    await run('6');
    expect(changedResults()).toEqual([0, 0, 1, 2, 2, 2]);
    expect(sentBodies().slice(0, 4)).toEqual(before);
    expect((await computer.run(['on'])).out).toMatch(new RegExp(`^${name} +off +loop +claude-sonnet-4-5 .* 10$`, 'm'));
    const stats = jsonLines((await computer.run(['stats', '--json'])).out);
    expect(stats).toMatchObject([{ agents: [{ conversations: [{ conversation: name, isOff: true }] }] }]);
    await computer.run(['on', name]);
    await run('8');
    expect(changedResults().at(-1)).toBeGreaterThan(2);
    const unknown = await computer.run(['off', 'beside']);
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('got "beside", which names none')]);
  });

  test('notices `density off` while it runs', async () => {
    const { computer, environment } = withAgent();
    const { answer } = upstream;
    let goOn = (): void => {};
    upstream.answer = (response, request) => {
      if (upstream.seen.length !== 4) answer(response, request);
      else goOn = () => answer(response, request);
    };
    const child = computer.start(['wrap', '--env', 'LOOP_BASE_URL', 'loop', '6'], environment);
    const outcome = outcomeOf(child);
    await expect.poll(() => upstream.seen.length).toBe(4);
    const [listed] = jsonLines((await computer.run(['off', '--json'])).out);
    await computer.run(['off', String(listed!['conversation'])]);
    goOn();
    expect((await outcome).code).toBe(0);
    expect(changedResults()).toEqual([0, 0, 1, 2, 2, 2]);
  });

  test.each([
    ['SIGHUP', 129],
    ['SIGINT', 0],
  ] as const)('leaves %s to the agent, and ends with it', async (signal, code) => {
    const { computer, environment } = withAgent();
    let answer = (): void => {};
    upstream.answer = (response) => {
      answer = () => response.end('{}');
    };
    const child = computer.start(['wrap', '--env', 'LOOP_BASE_URL', 'loop', '1'], environment);
    const outcome = outcomeOf(child);
    await expect.poll(() => upstream.seen.length).toBe(1);
    child.kill(signal);
    // A terminal sends Ctrl-C to the agent itself; here it goes on, and the wrapper waits for it.
    if (signal === 'SIGINT') setTimeout(() => answer(), 200);
    expect((await outcome).code).toBe(code);
  });

  test('runs twice at once, each with an address of its own', async () => {
    const { computer, environment } = withAgent();
    const args = ['wrap', '--env', 'LOOP_BASE_URL', 'loop', '3'];
    const both = await Promise.all([1, 2].map(() => computer.runApart(args, environment)));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(upstream.seen).toHaveLength(6);
    const stats = jsonLines((await computer.run(['stats', '--json'])).out);
    expect(stats).toMatchObject([{ agents: [{ calls: 6 }] }]);
  });

  test('stops with the agent when it is asked to, and the agent is asked too', async () => {
    const { computer, environment } = withAgent();
    upstream.answer = () => {};
    const child = computer.start(['wrap', '--env', 'LOOP_BASE_URL', 'loop'], environment);
    const outcome = outcomeOf(child);
    await expect.poll(() => upstream.seen.length).toBe(1);
    child.kill('SIGTERM');
    expect((await outcome).code).toBe(143);
  });

  test('has a page that `density stats --page` finds while the agent runs, and nobody after', async () => {
    const { computer, environment } = withAgent();
    upstream.answer = () => {};
    const child = computer.start(['wrap', '--shadow', '--env', 'LOOP_BASE_URL', 'loop'], environment);
    const outcome = outcomeOf(child);
    await expect.poll(() => upstream.seen.length).toBe(1);
    const [run] = jsonLines((await computer.run(['stats', '--page', '--json'])).out);
    expect(run).toMatchObject({ agent: 'loop', folder: computer.folder, isShadow: true, calls: 0 });
    const { out, err } = await computer.run(['stats', '--page']);
    expect([out, err]).toEqual([`${run!['url']}\n`, 'loop (shadow) in ~/work\n']);
    const page = await (await fetch(out.trim())).text();
    expect(page).toContain('Shadow mode.');
    expect(readdirSync(path.join(dataOf(computer), 'live/running'))).toHaveLength(1);
    child.kill('SIGTERM');
    await outcome;
    await expect(fetch(out.trim())).rejects.toThrow();
    const after = await computer.run(['stats', '--page']);
    expect([after.code, after.out, after.err]).toEqual([1, '', expect.stringContaining('density wrap claude')]);
    expect(readdirSync(path.join(dataOf(computer), 'live/running'))).toEqual([]);
  });

  test.each(['{ "model-prices": "cheap" }', '{ "model-prices": '])(
    'starts the agent, changes nothing, and says so in a line where settings cannot be read, %s',
    async (settings) => {
      const { computer, environment } = withAgent();
      const file = computer.write('work/.density.json', settings);
      const { code, err } = await computer.run(['wrap', '--env', 'LOOP_BASE_URL', 'loop', '4', '3'], environment);
      expect([code, changedResults()]).toEqual([3, [0, 0, 0, 0]]);
      const [first, second, ...rest] = err.trimEnd().split('\n');
      expect(first).toContain(`density: changes nothing new, because your settings cannot be read: ${file}: `);
      expect([second, rest]).toEqual([expect.stringMatching(/^density: 4 calls · .* · 0 results shortened · /), []]);
    },
  );

  test('ends at once where it has no place for temporary files, and says what the system said', async () => {
    const { computer, environment } = withAgent();
    const temporary = path.join(computer.home, 'missing');
    const args = ['wrap', '--env', 'LOOP_BASE_URL', 'loop'];
    const { code, err } = await computer.run(args, { ...environment, TMPDIR: temporary });
    expect([code, upstream.seen.length]).toEqual([1, 0]);
    expect(err).toContain('The system refused it: ENOENT');
  });

  test('that was killed ends its agent, leaves readable decisions, and the next one starts clean', async () => {
    const { computer, environment: given } = withAgent();
    const temporary = path.join(computer.home, 'temporary');
    mkdirSync(temporary);
    const environment = { ...given, TMPDIR: temporary };
    const args = ['wrap', '--env', 'LOOP_BASE_URL', 'loop', '4'];
    const answer = upstream.answer;
    // The fourth request, which has two references in it, gets no answer.
    upstream.answer = (response, request) => upstream.seen.length < 4 && answer(response, request);
    const notes = path.join(computer.home, 'agent.txt');
    const child = computer.start(args, { ...environment, LOOP_NOTES: notes });
    const outcome = outcomeOf(child);
    await expect.poll(() => upstream.seen.length).toBe(4);
    const pid = Number(readFileSync(notes, 'utf8'));
    child.kill('SIGKILL');
    // Its next request failed at once.
    await expect
      .poll(() => readFileSync(notes, 'utf8'))
      .toMatch(new RegExp(`^${pid}\\nSIGHUP ECONN(REFUSED|RESET)\\n$`));
    await expect.poll(() => isRunning(pid)).toBe(false);
    const { signal, err } = await outcome;
    expect([signal, err]).toEqual(['SIGKILL', expect.stringContaining('the wrapper was killed')]);
    expect((await computer.run(['stats', '--page', '--json'])).out).toBe('');
    expect(readdirSync(path.join(dataOf(computer), 'live/running'))).toEqual([]);
    const left = readdirSync(temporary);
    expect(left).toEqual([expect.stringMatching(/^density-wrap-\d+-/)]);
    const foreign = ['density-wrap-of-a-person', `density-wrap-${process.pid}-no-number-abcdef`];
    for (const name of foreign) mkdirSync(path.join(temporary, name));
    const killed = upstream.seen.map(({ body }) => String(body));
    upstream.seen.length = 0;
    upstream.answer = answer;
    expect((await computer.run(args, environment)).code).toBe(0);
    expect(upstream.seen.map(({ body }) => String(body))).toEqual(killed);
    expect(readdirSync(temporary).sort()).toEqual(foreign.sort());
  });

  test.each([
    [['wrap', 'loop'], 'got "loop". For another agent, name the environment variable'],
    [['wrap', '--env', 'NONE_BASE_URL', 'loop'], 'NONE_BASE_URL is not set'],
    [['wrap', '--env', 'LOOP_BASE_URL', 'no-such-agent'], 'not on the PATH'],
    [
      ['wrap', '--shadow', '--live-pruning', 'off', '--env', 'LOOP_BASE_URL', 'loop'],
      "cannot be used with option '--live-pruning",
    ],
    [['wrap', '--upstream', 'nowhere', '--env', 'LOOP_BASE_URL', 'loop'], 'Expected --upstream to be the base URL'],
  ])('%j is wrong usage, and nothing starts', async (args, words) => {
    const { computer, environment } = withAgent();
    const { code, err } = await computer.run(args, environment);
    expect([code, upstream.seen.length]).toEqual([2, 0]);
    expect(err).toContain(words);
    expect(existsSync(dataOf(computer))).toBe(false);
  });
});

describe('density proxy', () => {
  test('prints the addresses to set, which stay the same, and serves until it is stopped', async () => {
    const computer = new Computer();
    const serve = async (): Promise<string> => {
      const child = computer.start(['proxy', '--port', '0', '--json', '--upstream', base.href]);
      const [line] = await new Promise<Buffer[]>((resolve) => child.stdout!.once('data', (chunk) => resolve([chunk])));
      const [{ urls }] = jsonLines(String(line)) as [{ urls: { baseUrl: string }[] }];
      const [{ baseUrl }] = urls as [{ baseUrl: string }];
      expect((await fetch(`${baseUrl}/v1/messages`, { method: 'POST', body: '{}' })).status).toBe(200);
      const outcome = outcomeOf(child);
      child.kill('SIGINT');
      expect((await outcome).code).toBe(0);
      return new URL(baseUrl).pathname;
    };
    expect(await serve()).toBe(await serve());
    expect(upstream.seen.map(({ url }) => url)).toEqual(['/v1/messages', '/v1/messages']);
  });

  test('says once of a model without a price where to give one, while it runs and on its page', async () => {
    const computer = new Computer();
    const child = computer.start(['proxy', '--port', '0', '--json', '--upstream', base.href]);
    let notes = '';
    child.stderr!.on('data', (chunk) => {
      notes += chunk;
    });
    const [line] = await new Promise<Buffer[]>((resolve) => child.stdout!.once('data', (chunk) => resolve([chunk])));
    const [{ urls, page }] = jsonLines(String(line)) as [{ urls: { baseUrl: string }[]; page: string }];
    const ask = async (model: string): Promise<void> => {
      const body = JSON.stringify({ model, tools: [{ name: 'Read' }], messages: [{ role: 'user', content: 'Look.' }] });
      await (await fetch(`${urls[0]!.baseUrl}/v1/messages`, { method: 'POST', body })).text();
    };
    // The one that was asked for has none; the one that answers has a price.
    for (const model of ['house-model-9', 'house-model-9', 'house-model-8']) await ask(model);
    const said = 'No price is known of house-model-';
    await expect.poll(() => notes).toContain(`${said}8`);
    expect(notes.split(said)).toHaveLength(3);
    expect(notes).toContain('in the setting `model-prices`');
    expect((await (await fetch(page)).text()).split(said)).toHaveLength(3);
    upstream.answer = (response) => response.writeHead(404).end('{}');
    await ask('no-such-model');
    const outcome = outcomeOf(child);
    child.kill('SIGINT');
    expect((await outcome).code).toBe(0);
    expect(notes).not.toContain('no-such-model');
  });

  test('says which settings cannot be read, before it serves', async () => {
    const computer = new Computer();
    const file = computer.write('work/.density.json', '{ "model-prices": "cheap" }');
    const { code, out, err } = await computer.run(['proxy', '--port', '0']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(file);
  });

  test('says that a port is in use', async () => {
    const { code, err } = await new Computer().run(['proxy', '--port', base.port]);
    expect(code).toBe(2);
    expect(err).toContain(`Port ${base.port} is in use`);
  });
});

test('density stats says how to begin where nothing went through yet', async () => {
  expect((await new Computer().run(['stats'])).out).toContain('density wrap claude');
});
