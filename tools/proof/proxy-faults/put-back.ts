import type { FaultyUpstream } from './faulty-upstream.ts';
import { anthropic } from './hard-bodies.ts';
import { ALIKE, strangeLine } from './hostile-texts.ts';
import { splicedTexts } from './spliced.ts';
import { ProxyWithoutFaults } from './without-faults.ts';

const SESSION = 'lines that are put back';
const OTHER_CALLS = 75;
const PAUSE_MS = 3 * 60 * 60_000;
const FILE = '/src/auth.ts';

const others = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `const ${name}${at} = compute(${at}, "${name}"); // of no interest`);

/**
 * A file is read, changed to lines with the same sum and read again; then another agent reports its first lines, in whose
 * place a note stands. The reads are removed, and the lines have to come back. Returns what is wrong.
 */
export async function putBackAlike(upstream: FaultyUpstream, base: URL): Promise<readonly string[]> {
  const problems: string[] = [];
  const proxy = new ProxyWithoutFaults(upstream);
  await proxy.start(base);
  const messages: object[] = [{ role: 'user', content: 'Review the branch.' }];
  const results = new Set<string>();
  /** The report as the provider got it. */
  let report = '';
  const send = async (): Promise<void> => {
    const body = Buffer.from(anthropic(messages));
    const { seen } = await proxy.send(SESSION, '/v1/messages', body);
    proxy.clockMs += 4_000;
    const texts = splicedTexts(body, seen[0] ?? Buffer.of(), results);
    if (texts === undefined) problems.push(`${SESSION}: the provider saw other bytes`);
    for (const { was, is } of texts ?? []) {
      const line = strangeLine(was, is);
      if (line !== undefined) problems.push(`${SESSION}: a result has a line that its tool did not print: ${line}`);
    }
    report = texts?.find(({ was }) => was === reported)?.is ?? reported;
  };
  const call = async (name: string, input: object, text: string): Promise<void> => {
    const id = `call-${messages.length}`;
    results.add(text);
    messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
    );
    await send();
  };
  const [first, second] = ALIKE as [readonly string[], readonly string[]];
  const reported = [...first, ...others('report', 60)].join('\n');
  await call('Read', { file_path: FILE }, [...first, ...others('before', 420)].join('\n'));
  await call('Read', { file_path: FILE }, [...second, ...others('after', 420)].join('\n'));
  await call('Task', { prompt: 'Show the file of main.' }, reported);
  if (report.includes(first[0]!)) problems.push(`${SESSION}: no note stands in their place`);
  for (let at = 0; at < OTHER_CALLS; at++) await call('Bash', { command: `ls /other${at}` }, `file${at}`);
  proxy.clockMs += PAUSE_MS;
  messages.push({ role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on.' });
  await send();
  if (!report.includes(first[0]!)) problems.push(`${SESSION}: they do not come back`);
  await proxy.close();
  return problems;
}
