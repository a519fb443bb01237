import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { changedPlugin, without } from './changed-plugin.ts';
import { Session, type SessionOptions } from './session.ts';

const MARKER = /⟦density: [^⟧"]{1,400}⟧/;
const COPY = 'copy.txt';

/** A file is read twice; then the model copies a marker that it saw into another file. */
const copiesMarker: SessionOptions['steps'] = (folder) => {
  const read = { name: 'Read', input: { file_path: path.join(folder, 'long.txt') } };
  return [
    { calls: [{ name: 'Bash', input: { command: LONG, description: 'Makes it' } }] },
    { calls: [read] },
    { calls: [read] },
    (prompt) => {
      const content = `${MARKER.exec(prompt)?.[0] ?? 'no marker'}\n`;
      return { calls: [{ name: 'Write', input: { file_path: path.join(folder, COPY), content } }] };
    },
  ];
};
const LONG = `seq -f 'value %g is an ordinary line of this file' 600 > long.txt`;

/** The texts of all results in a prompt. */
function resultsIn(prompt: string): readonly string[] {
  const { messages } = JSON.parse(prompt) as { readonly messages: readonly { readonly content: unknown }[] };
  return messages
    .flatMap(({ content }) => (Array.isArray(content) ? (content as { readonly type: string }[]) : []))
    .filter(({ type }) => type === 'tool_result')
    .map((block) => JSON.stringify(block));
}

const countOf = (text: string): number => text.split('⟦density:').length - 1;

/** Each of mod, hooks and `density wrap` on or off: one of them shapes a result, and a marker is not copied where there is a guard. */
export async function proveWays(program: string, check: (what: string, holds: boolean) => void): Promise<void> {
  for (const [hasMod, hasHooks, isWrapped] of [true, false].flatMap((mod) =>
    [true, false].flatMap((hooks) => [true, false].map((wrap) => [mod, hooks, wrap] as const)),
  )) {
    const plugin = changedPlugin((folder) => {
      if (!hasMod) without('modules')(folder);
      if (!hasHooks) without('hooks')(folder);
    });
    const session = new Session(program, { plugin, steps: copiesMarker, isWrapped });
    await session.say(['Read it twice.']);
    const shaped = resultsIn(session.prompt).map(countOf);
    const copy = path.join(session.home, 'work', COPY);
    const isCopied = existsSync(copy) && MARKER.test(readFileSync(copy, 'utf8'));
    const isExpected = hasHooks || isWrapped;
    const what = Object.entries({ mod: hasMod, hooks: hasHooks, wrap: isWrapped }).flatMap(([name, is]) =>
      is ? [name] : [],
    );
    // The guard quotes the marker that it refuses.
    const results = shaped.slice(0, 3);
    const holds = results.every((count) => count <= 1) && results.some((count) => count === 1) === isExpected;
    check(
      `${what.join(' and ') || 'nothing'}: ${isExpected ? 'the second read is shaped once, and the marker is not copied' : 'nothing is shaped'}`,
      holds && !isCopied && session.isAccepted,
    );
    session.close();
    rmSync(plugin, { recursive: true });
  }
}
