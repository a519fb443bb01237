import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent, ToolCallBlock } from '../../src/content/content.ts';
import { copiedMarker } from '../../src/guard/copied-marker.ts';
import { copyIn } from '../../src/guard/copy-in.ts';
import { runs } from '../property-runs.ts';
import { DISGUISES, marker } from './markers.ts';

const call = (name: string, parameters: unknown): ToolCallBlock => ({ type: 'tool_call', id: 'c', name, parameters });
const said = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
const result = (text: string): IContent => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId: 'r', toolName: 'Read', result: text }],
});
const indented = (sign: string, text: string): string =>
  text
    .split('\n')
    .map((line) => `${sign}${line}`)
    .join('\n');
const patch = (text: string): string =>
  `*** Begin Patch\n*** Update File: a.ts\n@@\n-old\n${indented('+', text)}\n*** End Patch`;
const diff = (text: string): string =>
  `--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,3 @@\n first\n-old\n${indented('+', text)}\n`;

/** What a model writes into a file, in the tools of several agents. */
const WRITES: Readonly<Record<string, (text: string) => ToolCallBlock>> = {
  'a file of Claude Code': (content) => call('Write', { file_path: '/a.ts', content }),
  'an edit of Claude Code': (text) => call('Edit', { file_path: '/a.ts', old_string: 'old', new_string: text }),
  'the second of several edits': (text) =>
    call('MultiEdit', {
      file_path: '/a',
      edits: [
        { old_string: 'a', new_string: 'b' },
        { old_string: 'c', new_string: text },
      ],
    }),
  'a notebook': (text) => call('NotebookEdit', { notebook_path: '/a.ipynb', new_source: text }),
  'a patch of Codex': (text) => call('apply_patch', { input: patch(text) }),
  'a patch in a hook of Codex': (text) => call('apply_patch', { command: patch(text) }),
  'a patch in the shell': (text) => call('exec_command', { cmd: `apply_patch <<'EOF'\n${patch(text)}\nEOF` }),
  'a file of Gemini CLI': (content) => call('write_file', { file_path: '/a.ts', content }),
  'a replacement of Gemini CLI': (text) => call('replace', { file_path: '/a.ts', old_string: 'old', new_string: text }),
  'a file of opencode': (content) => call('write', { filePath: '/a.ts', content }),
  'edits of pi': (newText) => call('edit', { path: 'a.ts', edits: [{ oldText: 'old', newText }] }),
  'a text editor': (file_text) => call('str_replace_editor', { command: 'create', path: '/a.ts', file_text }),
  'structured parameters': (text) => call('write_file', { path: '/a.json', content: { rows: [{ text }] } }),
  'a here-document': (text) =>
    call('Bash', { command: `mkdir -p src && cat > src/a.ts <<'EOF'\n${text}\nEOF\nnpm test` }),
  'a here-document that is appended': (text) => call('bash', { command: `cat <<EOF >> a.ts\n${text}\nEOF` }),
  'a here-document for tee': (text) =>
    call('run_shell_command', { command: `tee a.ts <<-EOF\n${indented('\t', text)}\n\tEOF` }),
  'a script of Python': (text) =>
    call('Bash', { command: `python3 - <<'PY'\nopen('a', 'w').write('''${text}''')\nPY` }),
  'a difference for patch': (text) => call('Bash', { command: `patch -p1 <<'EOF'\n${diff(text)}EOF` }),
  'an argument vector': (text) => call('shell', { command: ['bash', '-lc', `cat > a.ts <<'EOF'\n${text}\nEOF`] }),
};

/** What finds, shows or says a marker and writes none into a file. */
const NO_WRITES: Readonly<Record<string, (text: string) => ToolCallBlock>> = {
  'a search': (text) => call('Grep', { pattern: text }),
  'a search in the shell': (text) => call('Bash', { command: `grep -rn '${text}' src` }),
  'a here-document that is shown': (text) => call('Bash', { command: `cat <<'EOF'\n${text}\nEOF` }),
  'the message of a commit': (text) => call('Bash', { command: `git commit -m "$(cat <<'EOF'\n${text}\nEOF\n)"` }),
  'a prompt of a sub-agent': (prompt) => call('Task', { prompt, description: 'look', subagent_type: 'general' }),
  'an edit that takes it out': (text) => call('Edit', { file_path: '/a', old_string: `a\n${text}`, new_string: 'b' }),
  'an edit around it': (text) => call('Edit', { file_path: '/a', old_string: `a\n${text}`, new_string: `b\n${text}` }),
  'a patch around it': (text) =>
    call('apply_patch', {
      input: `*** Begin Patch\n*** Update File: a\n@@\n${indented(' ', text)}\n-old\n+new\n*** End Patch`,
    }),
  'a tool that nobody knows': (text) => call('remember_forever', { words: text }),
};

describe('a copied marker', () => {
  describe.each(Object.entries(DISGUISES))('%s', (_, disguise) => {
    test.each(Object.entries(WRITES))('is found in %s', (_name, write) => {
      fc.assert(
        fc.property(marker, (sent) => {
          const found = copyIn(write(`first\n${disguise(sent)}\nlast`), [said('Go on.'), result(`a\n${sent}\nb`)]);
          expect(found?.marker).toBe(sent);
        }),
        { numRuns: runs(20) },
      );
    });
  });

  test('is found for the author of an agent too', async () => {
    const [sent] = fc.sample(marker, 1);
    const write = call('Write', { file_path: '/x', content: sent });
    expect((await copiedMarker(write, [result(sent!)]))?.marker).toBe(sent);
    expect(await copiedMarker(write, [])).toBeUndefined();
  });

  test.each(Object.entries(NO_WRITES))('is none in %s', (_, other) => {
    fc.assert(
      fc.property(marker, (sent) => {
        expect(copyIn(other(sent.replaceAll("'", '')), [result(sent)])).toBeUndefined();
      }),
    );
  });

  test('is none where the user said it, the file has it, or nothing like it was sent', () => {
    fc.assert(
      fc.property(marker, fc.constantFrom(...Object.values(WRITES)), (sent, write) => {
        const own = write(sent);
        expect(copyIn(own, [said(`Write ${sent} there.`), result(sent)])).toBeUndefined();
        expect(copyIn(own, [result(sent)], { texts: [`x\n${sent}\n`] })).toBeUndefined();
        expect(copyIn(own, [said('Go on.'), result('Read a.ts\n12 lines')])).toBeUndefined();
      }),
    );
  });

  test('is one although the model itself said it', () => {
    const sent = '⟦density: 40 lines, 12 to 51, as shown above by Read src/a.ts #k3x9qz⟧';
    const words: IContent = { speaker: 'ai', blocks: [{ type: 'text', text: `I write ${sent}.` }] };
    const write = call('Write', { file_path: '/x', content: sent });
    expect(copyIn(write, [result(sent), words])).toMatchObject({ marker: sent });
  });

  test('has the words of a marker that was sent: another file is another marker', () => {
    const sent = '⟦density: 40 lines, 12 to 51, as shown above by Read src/a.ts, from "export" #k3x9qz⟧';
    const write = (text: string) => copyIn(call('Write', { file_path: '/x', content: text }), [result(sent)]);
    expect(write(sent.replace('src/a.ts', 'src/b.ts'))).toBeUndefined();
    expect(write(sent.replace('src/a.ts', 'src/a.tsx'))).toBeUndefined();
    expect(write('A marker such as ⟦density: …⟧ stands for lines.')).toBeUndefined();
    expect(write(sent)).toEqual({ marker: sent, standsFor: '40 lines, 12 to 51, as shown above by Read src/a.ts' });
  });

  test('says how the whole text is named', () => {
    const sent = '[density: Read src/a.ts, removed; full text: density show 07ff8c5d1eea]';
    expect(copyIn(call('Write', { file_path: '/x', content: sent }), [result(sent)])).toMatchObject({
      standsFor: 'Read src/a.ts, removed',
      name: '07ff8c5d1eea',
    });
  });

  test.each([
    '[Result pruned — re-run tool to retrieve]',
    '[Read: src/index.ts — success, 245 lines]',
    '[density: word for word the result of the earlier Read src/a.ts (a5); full text: recall 07ff8c5d1eea]',
    '[density: 40 lines, 12 to 51, as shown above by Read src/a.ts #k3x9qz]',
    '[density: Read src/a.ts, removed: a later read shows it; full text: density show 07ff8c5d1eea]',
  ])("may be of an earlier version, or of a history of one's own: %s", (sent) => {
    const write = call('Write', { file_path: '/x', content: `a\n${sent}\n` });
    expect(copyIn(write, [result(sent)])?.marker).toBe(sent);
    expect(copyIn(write, [result('whole')])).toBeUndefined();
  });

  test('is looked for in any parameters without a fault', () => {
    const name = fc.constantFrom('Write', 'Edit', 'Bash', 'apply_patch', 'exec', 'PowerShell', 'mcp__x__write_file');
    const text = fc.constantFrom(
      'density:',
      '⟦density: 1 lines',
      '<<EOF',
      "<<'EOF'\n",
      '*** Begin Patch\n',
      '@@ -1 +1 @@\n+',
    );
    const value = fc.oneof(
      fc.anything(),
      text,
      fc.array(text).map((all) => all.join('')),
    );
    const parameters = fc.oneof(
      value,
      fc.dictionary(fc.constantFrom('command', 'content', 'edits', 'new_string', 'input'), value),
    );
    fc.assert(
      fc.property(name, parameters, marker, (tool, given, sent) => {
        copyIn(call(tool, given), [result(sent)]);
      }),
    );
  });
});
