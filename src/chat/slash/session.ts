import path from 'node:path';
import type { IContent } from '../../content/content.ts';
import { Redactor } from '../../content/secrets/redact.ts';
import { reasonOf } from '../../disk/file-bytes.ts';
import { writeNewFile } from '../../disk/new-file.ts';
import { CompressionStrategyError, codeOf } from '../../errors.ts';
import { highDensity } from '../../formats/high-density/high-density.ts';
import { TimeSlice } from '../../history/time-slice.ts';
import { counted } from '../../report/figures.ts';
import type { Conversation } from '../conversation.ts';
import { findSession, storedSessions } from '../session/session-files.ts';
import type { SlashCommand } from './contract.ts';
import { wrongUsage } from './usage.ts';

/** `/model`: which model answers. */
export const model: SlashCommand = {
  name: 'model',
  usage: '[name]',
  help: 'show which model answers, or take another',
  async run(words, chat) {
    const [name, ...rest] = words;
    if (rest.length > 0) throw wrongUsage(`/model ${model.usage}`, words);
    if (name !== undefined) chat.setModel(name);
    const status = chat.status();
    return { kind: 'said', lines: [`${status.model} of ${status.provider} answers.`] };
  },
};

async function writeNew(file: string, pieces: Iterable<Uint8Array>): Promise<void> {
  try {
    await writeNewFile(file, pieces);
  } catch (cause) {
    const isThere = codeOf(cause) === 'EEXIST';
    throw new CompressionStrategyError(
      isThere
        ? `Expected a name that no file has, but there is ${file}. Name another.`
        : `Expected to write ${file}, but ${reasonOf(cause)}.`,
      isThere ? 'OUTPUT_EXISTS' : 'OUTPUT_FAILED',
      { cause },
    );
  }
}

/** The entries without their secrets; the thread is let go in between. */
async function redactedEntries(entries: readonly IContent[], redactor: Redactor): Promise<IContent[]> {
  const slice = new TimeSlice();
  const copies: IContent[] = [];
  for (const entry of entries) {
    copies.push(redactor.value(entry));
    if (slice.isOver()) await slice.next();
  }
  return copies;
}

/** A copy of the conversation for others: secrets are hidden unless they are asked for. */
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

/** `/save`: a copy of the conversation to hand on. */
export const save: SlashCommand = {
  name: 'save',
  usage: '[file] [--no-redact]',
  help: 'write a copy to hand on, secrets hidden',
  complete: () => ['--no-redact'],
  async run(words, chat) {
    const names = words.filter((word) => word !== '--no-redact');
    if (names.length > 1) throw wrongUsage(`/save ${save.usage}`, words);
    return { kind: 'said', lines: await saveCopy(chat, names[0], !words.includes('--no-redact')) };
  },
};

/** `/resume`: another session. */
export const resume: SlashCommand = {
  name: 'resume',
  usage: '[id]',
  help: 'list the sessions, or go on with one',
  complete: (words, chat) => (words.length > 1 ? [] : storedSessions(chat.folder).map(({ id }) => id)),
  async run(words, chat) {
    const [wanted, ...rest] = words;
    if (rest.length > 0) throw wrongUsage(`/resume ${resume.usage}`, words);
    const open = chat.session.log.id;
    if (wanted === undefined) return { kind: 'sessions', sessions: storedSessions(chat.folder), open };
    const found = findSession(chat.folder, { wanted, workspaceRoot: chat.workspace.root });
    if (found.id === open) return { kind: 'said', lines: ['This session is open already.'] };
    await chat.switchTo({ kind: 'resume', path: found.path, id: found.id });
    return { kind: 'switched', lines: [`Reading ${found.id} …`] };
  },
};

/** `/clear`: begin anew; the session that was open can be resumed. */
export const clear: SlashCommand = {
  name: 'clear',
  usage: '',
  help: 'begin a new session; this one can be resumed',
  async run(words, chat) {
    if (words.length > 0) throw wrongUsage('/clear', words);
    const before = chat.session;
    const wasUsed = !before.history.isEmpty();
    await chat.switchTo({ kind: 'new' });
    const kept = wasUsed ? [`/resume ${before.log.id} goes back.`] : [];
    return { kind: 'switched', lines: ['A new session.', ...kept] };
  },
};

/** `/quit`: end. */
export const quit: SlashCommand = {
  name: 'quit',
  usage: '',
  help: 'end; the session is kept',
  run: async () => ({ kind: 'quit' }),
};
