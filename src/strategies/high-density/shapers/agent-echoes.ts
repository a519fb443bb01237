import type { Shaper } from './shaper.ts';

/** Lines at the head of a result of Codex that say nothing to a model: names of chunks, counts of the tokens that follow, short times, success. Source: Codex 0.45 to 0.171. */
const HEAD_LINES = [
  /^Script completed$/,
  /^Chunk ID: \w+$/,
  /^Wall time:? \d(?:\.\d+)? seconds$/,
  /^Process exited with code 0$/,
  /^Exit code: 0$/,
  /^Original token count: \d+$/,
];
/** What Codex says besides, which is kept: other codes, the session of a process that runs, how long it took, how much is cut. */
const KEPT_HEAD_LINES = [
  /^Wall time:? [\d.]+ seconds$/,
  /^Script (?:failed|terminated|running with cell ID \S+)$/,
  /^Process (?:exited with code -?\d+|running with session ID \d+)$/,
  /^Exit code: -?\d+$/,
  /^Total output lines: \d+$/,
];
const HEAD_END = 'Output:';

/** Some versions say the command again, before all else. */
const COMMAND = /^Command: [\s\S]{0,8000}?\n(?=Chunk ID: )/;

/** The head of a result of Codex and its text; `undefined` if it has none. */
function codexHead(text: string): { readonly head: readonly string[]; readonly body: string } | undefined {
  const head: string[] = [];
  for (let start = COMMAND.exec(text)?.[0].length ?? 0; ; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    if (line === HEAD_END) return head.length === 0 ? undefined : { head, body: text.slice(end) };
    if (newline === -1 || ![...HEAD_LINES, ...KEPT_HEAD_LINES].some((known) => known.test(line))) return undefined;
    head.push(line);
    start = end + 1;
  }
}

function withoutHead(text: string): string {
  const found = codexHead(text);
  if (found === undefined) return text;
  const kept = found.head.filter((line) => !HEAD_LINES.some((known) => known.test(line)));
  // If nothing was printed, the end of the head says so.
  if (kept.length > 0 || found.body.trim() === '') return [...kept, `${HEAD_END}${found.body}`].join('\n');
  return found.body.slice(1);
}

/** What a write says that succeeded: the call names the file. Source: Claude Code 2.1.330; Codex 0.169; pi 0.73. */
const WRITTEN: readonly RegExp[] = [
  /^The file \S.* has been updated(?: successfully)?\.(?: \(file state is current in your context[^()]*\))?$/,
  /^File created successfully at: .*$/,
  /^Successfully (?:wrote \d+ bytes to|replaced (?:text|\d+ block\(s\)) in) \S.*?(?: Changed \d+ characters to \d+ characters\.)?$/,
  /^Success\. Updated the following files:(?:\n[AMD] .*){1,1000}\n?$/,
];
const DONE = 'Done.';
/** A longer result says more than that. */
const MAX_WRITTEN = 4_000;

/** Known sentences of agents around what a tool printed. */
export const agentEchoes: Shaper = {
  name: 'agentEchoes',
  isLossy: false,
  appliesTo: ({ role }) => role === 'shell' || role === 'write' || role === 'other',
  shape(text, { role }) {
    const said = withoutHead(text);
    return role !== 'other' && said.length < MAX_WRITTEN && WRITTEN.some((known) => known.test(said)) ? DONE : said;
  },
};
