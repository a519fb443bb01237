import { describe, expect, test } from 'vitest';
import { editText } from '../../../src/content/files/edit-text.ts';

const of = (parameters: unknown) => editText({ type: 'tool_call', id: 'c', name: 'edit', parameters });

describe('the texts of a write', () => {
  test.each([
    ['old_string', 'new_string'],
    ['oldString', 'newString'],
    ['oldText', 'newText'],
    ['old_str', 'new_str'],
    ['search', 'replace'],
  ])('a replacement has the old text in `%s` and the new text in `%s`', (oldKey, newKey) => {
    expect(of({ path: 'a', [oldKey]: 'one', [newKey]: 'two' })).toEqual({
      before: ['one'],
      after: ['two'],
      isWhole: false,
    });
  });

  test('several replacements are one edit', () => {
    const edits = [
      { oldText: 'a', newText: 'b' },
      { oldText: 'c', newText: '' },
    ];
    expect(of({ path: 'a', edits })).toEqual({ before: ['a', 'c'], after: ['b', ''], isWhole: false });
  });

  test('a whole file replaces all earlier text', () => {
    expect(of({ file_path: 'a', content: 'all of it' })).toEqual({ before: [], after: ['all of it'], isWhole: true });
    expect(of({ command: 'create', path: 'a', file_text: 'new' })?.isWhole).toBe(true);
  });

  test('the context of a patch is in both texts, and a patch that only adds files is whole', () => {
    const update =
      '*** Begin Patch\n*** Update File: a.ts\n@@ function\n context\n-old\n+new\n@@\n-gone\n*** End Patch\n';
    expect(of(update)).toEqual({ before: ['context\nold', 'gone'], after: ['context\nnew'], isWhole: false });
    const add = '*** Begin Patch\n*** Add File: b.ts\n+first\n+second\n*** End Patch';
    expect(of({ input: add })).toEqual({ before: [], after: ['first\nsecond'], isWhole: true });
    expect(of({ command: `apply_patch <<'X'\n${update}X` })?.before).toEqual(['context\nold', 'gone']);
  });

  test('reads search and replace blocks', () => {
    const diff =
      '<<<<<<< SEARCH\n:start_line:3\n-------\nold\n=======\nnew\n>>>>>>> REPLACE\n------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\n';
    expect(of({ path: 'a', diff })).toEqual({ before: ['old', 'x'], after: ['new', 'y'], isWhole: false });
  });

  test.each([[null], ['no patch'], [{ path: 'a' }], [[1]], [{ edits: 'text' }]])(
    '%j contains no edit (REQ-HD-013.5)',
    (parameters) => {
      expect(of(parameters)).toBeUndefined();
    },
  );

  test('parameters that cannot be listed contain no edit (REQ-HD-013.5)', () => {
    const closed = new Proxy(
      { content: 'text' },
      {
        ownKeys: () => {
          throw new TypeError('closed');
        },
      },
    );
    expect(of(closed)).toBeUndefined();
  });
});
