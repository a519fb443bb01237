import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TestTerminal } from '../../../test/e2e/test-terminal.ts';

interface Resumed {
  readonly program: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The arguments of `codex exec resume`, with the prompt at the end. */
  readonly args: readonly string[];
  readonly wanted: RegExp;
}

/** As people type: what comes at once with its end is taken for a paste. */
const TYPING_MS = 1_000;

/** What a person sees who resumes a session of Codex in a terminal of 80 x 24 and sends one prompt: the screen, once it shows what is wanted. */
export async function resumedScreen({ program, home, environment, args, wanted }: Resumed): Promise<string> {
  mkdirSync(path.join(home, '.codex'), { recursive: true });
  writeFileSync(
    path.join(home, '.codex/auth.json'),
    JSON.stringify({ auth_mode: 'apikey', OPENAI_API_KEY: environment['CODEX_API_KEY'] }),
  );
  const prompt = args.at(-1) ?? '';
  const shown = args.slice(1, -1).filter((one) => one !== '--skip-git-repo-check');
  const cwd = path.join(home, 'work');
  const terminal = new TestTerminal(shown, { program, cwd, home, columns: 80, rows: 24, environment });
  try {
    await terminal.shows('Ask Codex to do anything');
    terminal.type(prompt);
    await terminal.shows(`› ${prompt}`);
    await delay(TYPING_MS);
    terminal.type('\r');
    return await terminal.shows(wanted);
  } catch (error) {
    return String(error);
  } finally {
    terminal.kill();
  }
}
