import path from 'node:path';
import type { IContent } from '../../content/content.ts';
import { Redactor } from '../../content/secrets/redact.ts';
import { reasonOf } from '../../disk/reason-of.ts';
import { writeNewFile } from '../../disk/temporary-file.ts';
import { CompressionStrategyError, codeOf } from '../../errors.ts';
import { highDensity } from '../../formats/high-density/high-density.ts';
import { counted } from '../../report/figures.ts';
import { TimeSlice } from '../../time-slice.ts';
import type { Conversation } from '../conversation.ts';
import { findSession, storedSessions } from '../session/session-files.ts';
import { type SlashCommand, wrongUsage } from './contract.ts';

/** `/model`: which model answers. */
export const model: SlashCommand = {
  name: 'model',
  usage: '[name]',
  help: 'show the model, or switch to another one',
  mostWords: 1,
  async run([name], chat) {
    if (name !== undefined) chat.setModel(name);
    const status = chat.status();
    return { kind: 'said', lines: [`The model is ${status.model} of ${status.provider}.`] };
  },
};

async function writeNew(file: string, pieces: Iterable<Uint8Array>): Promise<void> {
  try {
    await writeNewFile(file, pieces);
  } catch (cause) {
    const isThere = codeOf(cause) === 'EEXIST';
    throw new CompressionStrategyError(
      isThere
        ? `Expected the name of a new file, but ${file} exists. Choose another name.`
        : `Expected to write ${file}, but ${reasonOf(cause)}.`,
      isThere ? 'OUTPUT_EXISTS' : 'OUTPUT_FAILED',
      { cause },
    );
  }
}

/** The entries without their secrets, made in time slices. */
async function redactedEntries(entries: readonly IContent[], redactor: Redactor): Promise<IContent[]> {
  const slice = new TimeSlice();
  const copies: IContent[] = [];
  for (const entry of entries) {
    copies.push(redactor.value(entry));
    if (slice.isOver()) await slice.next();
  }
  return copies;
}

/** Saves a copy of the conversation for others. */
async function saveCopy(chat: Conversation, name: string | undefined, isRedacted: boolean): Promise<readonly string[]> {
  const { history, log } = chat.session;
  const file = path.resolve(chat.workspace.root, name ?? `density-${log.id}.jsonl`);
  const redactor = new Redactor();
  const entries = isRedacted ? await redactedEntries(history.getAll(), redactor) : history.getAll();
  const facts = { id: log.id, model: chat.model.model, workspaceRoot: chat.workspace.root, startedAt: Date.now() };
  await writeNew(file, highDensity.create!(entries, facts));
  const hidden = isRedacted ? `, ${counted(redactor.hidden, 'secret')} hidden` : ', secrets kept';
  return [`Saved ${counted(entries.length, 'entry', 'entries')} to ${file}${hidden}.`];
}

/** `/save`: saves a copy of the conversation to share. */
export const save: SlashCommand = {
  name: 'save',
  usage: '[file] [--no-redact]',
  help: 'save a copy to share, with secrets hidden',
  complete: () => ['--no-redact'],
  async run(words, chat) {
    const names = words.filter((word) => word !== '--no-redact');
    if (names.length > 1) throw wrongUsage(`/save ${save.usage}`, words);
    return { kind: 'said', lines: await saveCopy(chat, names[0], !words.includes('--no-redact')) };
  },
};

/** `/resume`: lists the sessions, or continues one. */
export const resume: SlashCommand = {
  name: 'resume',
  usage: '[id]',
  help: 'list the sessions, or continue one',
  complete: (words, chat) => (words.length > 1 ? [] : storedSessions(chat.folder).map(({ id }) => id)),
  mostWords: 1,
  async run([wanted], chat) {
    const open = chat.session.log.id;
    if (wanted === undefined) return { kind: 'sessions', sessions: storedSessions(chat.folder), open };
    const found = findSession(chat.folder, { wanted, workspaceRoot: chat.workspace.root });
    if (found.id === open) return { kind: 'said', lines: ['This session is already open.'] };
    await chat.switchTo({ kind: 'resume', path: found.path, id: found.id });
    return { kind: 'switched', lines: [`Reading ${found.id} …`] };
  },
};

/** `/clear`: starts a new session; the old one can be resumed. */
export const clear: SlashCommand = {
  name: 'clear',
  usage: '',
  help: 'start a new session; this one can be resumed',
  mostWords: 0,
  async run(_words, chat) {
    const before = chat.session;
    const wasUsed = !before.history.isEmpty();
    await chat.switchTo({ kind: 'new' });
    const kept = wasUsed ? [`/resume ${before.log.id} returns to the old one.`] : [];
    return { kind: 'switched', lines: ['New session.', ...kept] };
  },
};

export const quit: SlashCommand = {
  name: 'quit',
  usage: '',
  help: 'quit; the session is kept',
  run: async () => ({ kind: 'quit' }),
};
