import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Said } from '../../../src/strict-provider/contract.ts';
import { type AgentTools, hereDocument } from './agent-tools.ts';

type Call = NonNullable<Said['calls']>[number];

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const MAX_CHARACTERS = 6_000;

/** Sources of this project that have markers, or write them. */
function sources(): readonly string[] {
  const folders = [
    'src/guard',
    'src/strategies/high-density/shapers',
    'src/strategies/high-density/repeated-lines',
    'test/guard',
    'test/plugin',
  ];
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((one) =>
      one.isFile() ? path.join(ROOT, folder, one.name) : [],
    ),
  );
  const docs = ['docs/plugin.md', 'docs/strategies.md', 'docs/live.md'].map((file) => path.join(ROOT, file));
  return [...docs, ...files]
    .map((file) => readFileSync(file, 'utf8'))
    .filter((text) => /density|marker/.test(text))
    .map((text) => text.slice(0, MAX_CHARACTERS));
}

/** The prompt of a sub-agent says that it is one. */
export const SUB_AGENT = 'You are the sub-agent of this proof';

/** Fifty calls of people who work on markers, in which none is copied into a file that has none. `has`: a file with the marker. */
export function ordinaryCalls(
  { write, shell }: AgentTools,
  marker: string,
  { work, has, task }: { work: string; has: string; task: string | undefined },
): readonly Call[] {
  const file = (at: number, ending: string): string => path.join(work, `ordinary-${at}.${ending}`);
  const other = '⟦density: 12 lines, 3 to 14, as shown above by Read src/invented.ts, from "export const" #zz11aa⟧';
  const said = (text: string): string => text.replaceAll("'", '’');
  const calls: Call[] = [
    // A test about markers.
    ...[0, 1, 2, 3, 4].map((at) =>
      write(file(at, 'test.ts'), `test('a marker ${at}', () => {\n  expect(shape(text)).toBe('${other}');\n});\n`),
    ),
    // A quoted command.
    ...[5, 6, 7, 8, 9].map((at) =>
      write(
        file(at, 'md'),
        `Get it back by \`density show 07ff8c5d1ee${at}\` or recall 07ff8c5d1ee${at}.\n\nA marker is a line such as ⟦density: …⟧.\n`,
      ),
    ),
    // Messages of commits, with the marker itself.
    ...[0, 1, 2].map((at) =>
      shell(`git commit -q --allow-empty -m 'Say what a marker stands for (${at}): ${said(marker)}'`),
    ),
    shell(`git commit -q --allow-empty -m "$(cat <<'EOF'\nName the marker\n\n${marker}\nEOF\n)"`),
    // Who looks for it, or shows it.
    ...['grep -rn', 'grep -c', 'grep -F'].map((grep) => shell(`${grep} '${said(marker).slice(0, 60)}' ${has} || true`)),
    shell(`cat <<'EOF'\n${marker}\nEOF`),
    shell(`printf '%s\\n' '${said(marker)}'`),
    // A file that has the marker already.
    shell(`cat >> ${has} <<'EOF'\n${marker}\nEOF`),
    write(has.replace('.md', '-2.md'), 'A file without one.\n'),
    // Programs that know markers.
    ...[10, 11, 12, 13, 14].map((at) =>
      shell(
        hereDocument(
          file(at, 'py'),
          `import re, sys\nfor line in sys.stdin:\n    if re.match(r'⟦density: (\\d+) lines', line): print(${at}, line)\n`,
        ),
      ),
    ),
    ...[15, 16, 17].map((at) =>
      write(file(at, 'json'), `${JSON.stringify({ name: 'density', at, open: '⟦density: ', close: '⟧' }, null, 2)}\n`),
    ),
    ...(task === undefined
      ? []
      : [
          {
            name: task,
            input: {
              description: 'as scripted',
              prompt: `${SUB_AGENT}: what is ${marker}?`,
              subagent_type: 'general-purpose',
            },
          },
        ]),
  ];
  const left = 50 - calls.length;
  return [
    ...calls,
    ...sources()
      .slice(0, left)
      .map((text, at) => write(file(100 + at, 'ts'), text)),
  ].slice(0, 50);
}
