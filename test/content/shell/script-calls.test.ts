import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editText } from '../../../src/content/files/edit-text.ts';
import { labelOfCall } from '../../../src/content/files/entry-label.ts';
import { fileAccess } from '../../../src/content/files/file-access.ts';
import { scriptCalls } from '../../../src/content/shell/script-calls.ts';
import { callRole } from '../../../src/content/tools/call-role.ts';
import { codex } from '../../../src/content/vocabularies/codex.ts';
import { runs } from '../../property-runs.ts';

const exec = (input: string) => ({ type: 'tool_call', id: '1', name: 'exec', parameters: { input } }) as const;
const access = (input: string) => fileAccess(exec(input), codex, '/p');
const PATCH = '*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch\n';

describe('a script of Codex', () => {
  test.each([
    ['const r = await tools.exec_command({"cmd":"cat a.ts"}); text(r.output);', 'exec cat a.ts'],
    [
      `await Promise.all([tools.exec_command({cmd: "cat a.ts"}), tools.apply_patch(${JSON.stringify(PATCH)})])`,
      'exec cat a.ts; a.ts',
    ],
    ['await tools.write_stdin({session_id: 1, chars: ""})', 'exec write_stdin'],
    ['for (const f of files) await tools.x(f)', 'exec for (const f of files) await tools.x(f)'],
  ])('is named after the calls that it certainly makes, if it does nothing else: %s', (input, label) => {
    expect(labelOfCall(exec(input), codex)).toBe(label);
  });

  test.each([
    'const r = await tools.exec_command({"cmd":"cat a.ts","workdir":"/w","yield_time_ms":10000});\ntext(r.output);\n',
    "const r = await tools.exec_command({cmd: 'cat a.ts', workdir: `/w`});\ntext(JSON.stringify(r));",
    'const cmd = "cat a.ts"; // reads\nconst r = await tools.exec_command({cmd, workdir: "/w"})\ntext(`exit $'.concat(
      '{r.exit_code}`)',
    ),
    'text(await tools.exec_command({cmd: "cat a.ts", workdir: "/w"}));',
    'const [r] = await Promise.all([tools.exec_command({cmd: "cat a.ts", workdir: "/w", prefix_rule: ["cat"]})]); text(r.output);',
    'await tools.exec_command({cmd: ["cat", "a.ts"].join(" "), workdir: "/w",});',
    'await tools.shell({command: ["cat", "a.ts"], workdir: "/w"});',
  ])('reads: %s', (input) => {
    expect(access(input)).toEqual({ reads: ['/w/a.ts'], writes: [], isPureRead: true, isUnrecognized: false });
    expect(callRole(codex, exec(input))).toBe('shell');
  });

  test.each([
    `const patch = ${JSON.stringify(PATCH)};\nconst r = await tools.apply_patch(patch);\ntext(typeof r === "string" ? r : JSON.stringify(r));`,
    `await tools.apply_patch(String.raw\`${PATCH}\`);`,
    `await tools.apply_patch(\`${PATCH}\`);`,
    `await tools.apply_patch({input: ${JSON.stringify(PATCH)}});`,
    `await tools.apply_patch([${PATCH.split('\n')
      .map((line) => JSON.stringify(line))
      .join(', ')}].join("\\n"));`,
  ])('writes: %s', (input) => {
    expect(access(input)).toMatchObject({ reads: [], writes: ['/p/a.ts'], isPureRead: false });
    expect(editText(exec(input))?.before).toEqual(['one']);
  });

  test('that writes through a redirection writes, and one that runs a program is no pure read', () => {
    expect(access('await tools.exec_command({cmd: "cat b.ts > a.ts"});')).toMatchObject({ writes: ['/p/a.ts'] });
    expect(access('await tools.exec_command({cmd: "npm test"});')).toMatchObject({ reads: [], isPureRead: false });
  });

  test.each([
    'const r = await tools.exec_command({cmd: `cat $'.concat('{file}`}); text(r.output);'),
    'const r = await tools.exec_command({cmd: "cat " + file});',
    'const r = await tools.exec_command(options);',
    'if (ready) { await tools.exec_command({cmd: "cat a.ts"}); }',
    'for (const f of files) await tools.exec_command({cmd: "cat a.ts"});',
    'const r = await tools.web__run({search_query: []}); text(r);',
    'await tools.exec({input: "await tools.exec_command({cmd: \\"cat a.ts\\"})"});',
    'const tools = "cat a.ts"; await tools.exec_command({cmd: "cat a.ts"});',
    'return; await tools.exec_command({cmd: "cat a.ts"});',
    'text(r.replace(/"/g, "")); await tools.exec_command({cmd: "cat a.ts"});',
    'const p = "x"; p += "y"; await tools.exec_command({cmd: p});',
    'await tools.exec_command({cmd: "unclosed});',
    '',
    'text("nothing is called");',
  ])('that is not understood reads nothing, and its result stays: %s', (input) => {
    expect(access(input)).toMatchObject({ reads: [], writes: [], isPureRead: false });
    expect(callRole(codex, exec(input))).toBe('other');
  });

  test('still writes the files of its patches if the rest is not understood', () => {
    const input = `if (ready) { await tools.apply_patch(${JSON.stringify(PATCH)}); }`;
    expect(access(input)).toMatchObject({ writes: ['/p/a.ts'] });
  });

  test('is no pure read because of the commands after it, and keeps those before it', () => {
    const found = access('await tools.exec_command({cmd: "cat a.ts"});\nif (x) throw 1;');
    expect(found).toMatchObject({ reads: ['/p/a.ts'], isPureRead: false });
  });
});

test('never throws, for any text', () => {
  const piece = fc.constantFrom(
    ...'const r = await tools.exec_command({cmd: "a"}) ; [ ] ( ) { } , ` $ { } \\ / // /* */ text( "x" \' String.raw` Promise.all([ ].join("") \\u{110000}'.split(
      ' ',
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
      scriptCalls(pieces.join(' '));
      access(pieces.join(''));
    }),
    { numRuns: runs(3000) },
  );
});

/** Of the processor, for a part of a second of work; quadratic time would be minutes. */
const MAX_MICROSECONDS = 15_000_000;

test.each([
  ['blanks', ' '],
  ['comments', '/*'],
  ['lists', '['],
  ['parentheses in text', 'text('],
  ['strings', '"a" '],
  ['templates', '`'],
  ['backslashes', '`\\'],
  ['joined constants', 'const a = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";'],
])('takes linear time for a megabyte of %s', (_what, piece) => {
  for (const head of ['', 'const p = ', 'text(']) {
    const source = `${head}${piece.repeat(1_000_000 / piece.length)}`;
    const start = process.cpuUsage();
    scriptCalls(source);
    expect(process.cpuUsage(start).user).toBeLessThan(MAX_MICROSECONDS);
  }
});

test('a script cannot grow by its constants', () => {
  const doubled = Array.from({ length: 60 }, (_, n) => `const c${n + 1} = [c${n}, c${n}].join("");`).join('');
  expect(scriptCalls(`const c0 = "x";${doubled}await tools.apply_patch(c60);`).isUnderstood).toBe(false);
});
