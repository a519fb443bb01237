import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { GuardLog } from '../../src/guard/guard-log.ts';
import { stage } from './hook-stage.ts';

const MARKER =
  '⟦density: 118 lines, 3 to 120, as shown above by Read /p/app/a.ts, from "export function parse(te…" #k3x9qz; recall 07ff8c5d1eea⟧';
const INPUT = { file_path: '/p/app/b.ts', content: `// one\n${MARKER}\n` };

/** A session in which the marker was sent. */
function sent() {
  const staged = stage();
  const { session } = staged;
  session.said('Go on.');
  session.called('toolu_1', `1\tone\n2\ttwo\n${MARKER}`);
  return { ...staged, log: new GuardLog(path.join(staged.folder, 'live')) };
}

describe('a call that would write a marker', () => {
  test('is refused, with the words of what it stands for, and runs when it is made once more', async () => {
    const { session, answer, log } = sent();
    const event = session.before('Write', INPUT);
    const refused = await answer(event);
    expect(refused).toMatchObject({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
    });
    const { permissionDecisionReason: reason } = (refused as { hookSpecificOutput: Record<string, string> })
      .hookSpecificOutput;
    expect(reason).toContain('118 lines, 3 to 120, as shown above by Read /p/app/a.ts');
    expect(reason).toContain('`recall 07ff8c5d1eea`');
    expect(reason).not.toContain('⟦');
    expect(await answer(event)).toBeUndefined();
    expect(await answer(session.before('Write', { ...INPUT, file_path: '/p/app/c.ts' }))).toBeDefined();
    expect(log.calls().map(({ kind, tool, agent }) => [kind, tool, agent])).toEqual([
      ['refused', 'Write', 'claude-code'],
      ['passed', 'Write', 'claude-code'],
      ['refused', 'Write', 'claude-code'],
    ]);
  });

  test('runs where the file has the marker, the user said it, it is replaced, or it was never sent', async () => {
    const { session, answer, folder } = sent();
    const file = path.join(folder, 'b.ts');
    writeFileSync(file, `// ${MARKER}\n`);
    expect(await answer(session.before('Write', { ...INPUT, file_path: file }))).toBeUndefined();
    const edit = { file_path: '/p/app/b.ts', old_string: MARKER, new_string: `a ${MARKER}` };
    expect(await answer(session.before('Edit', edit))).toBeUndefined();
    const other = { ...INPUT, content: MARKER.replaceAll('a.ts', 'z.ts') };
    expect(await answer(session.before('Write', other))).toBeUndefined();
    session.said(`Write ${MARKER} into it.`);
    expect(await answer(session.before('Write', INPUT))).toBeUndefined();
  });

  test('runs where the marker is a line of a file that was shown', async () => {
    const { session, answer, folder } = stage();
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'test.md');
    writeFileSync(file, `one\n${MARKER}\n`);
    session.called('toolu_1', `1\tone\n2\t${MARKER}`, { input: { file_path: file } });
    expect(await answer(session.before('Write', INPUT))).toBeUndefined();
  });

  test('runs where the wrapper asks, and if something is wrong', async () => {
    const { session, answer, folder } = sent();
    const event = session.before('Write', INPUT);
    expect(await answer(event, { isGuarded: true })).toBeUndefined();
    // The log cannot be written: the call would be refused for ever.
    writeFileSync(path.join(folder, 'taken'), '');
    await expect(answer(event, { live: path.join(folder, 'taken') })).rejects.toThrow();
    const gone = stage();
    await expect(gone.answer(gone.session.before('Write', INPUT))).rejects.toThrow();
  });

  test('costs no look at the transcript where nothing in it is like a marker', async () => {
    const { session, answer } = stage();
    expect(await answer(session.before('Write', { file_path: '/p/a', content: 'text' }))).toBeUndefined();
  });

  test('is refused in Codex, where its hook has a patch', async () => {
    const { session, answer, log } = sent();
    const { transcript } = session;
    writeFileSync(transcript, '');
    session.calledByCodex('call_1', `one\n${MARKER}`);
    const patch = `*** Begin Patch\n*** Add File: b.ts\n+// one\n+${MARKER}\n*** End Patch`;
    const event = session.before('apply_patch', { command: patch }, { turn_id: '01a2050d' });
    expect(await answer(event)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(log.calls()).toMatchObject([{ agent: 'codex', kind: 'refused' }]);
    expect(readFileSync(transcript, 'utf8')).not.toBe('');
  });
});

test('a shell command that wrote a marker is told in its result', async () => {
  const { session, answer, log } = sent();
  const command = `cat > b.ts <<'EOF'\n${MARKER}\nEOF`;
  const told = await answer(session.bash('toolu_2', '', {}, command));
  expect(told).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PostToolUse',
      additionalContext: expect.stringContaining('118 lines, 3 to 120, as shown above by Read /p/app/a.ts'),
    },
  });
  expect(await answer(session.bash('toolu_3', '', {}, `grep -c '${MARKER}' b.ts`))).toBeUndefined();
  expect(await answer(session.bash('toolu_4', '', {}, command), { isWrapped: true })).toBeUndefined();
  expect(log.calls()).toMatchObject([{ kind: 'told', tool: 'Bash' }]);
});
