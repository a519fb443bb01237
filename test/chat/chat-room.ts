import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';
import type { Approval, ChatEvent } from '../../src/chat/chat-event.ts';
import { ChatSettings } from '../../src/chat/chat-settings.ts';
import { Conversation, type ConversationOptions } from '../../src/chat/conversation.ts';
import type { Beginning } from '../../src/chat/session/session-loading.ts';
import { Workspace } from '../../src/chat/workspace.ts';
import { GuardLog } from '../../src/guard/guard-log.ts';
import { ProfileStore } from '../../src/settings/profile-store.ts';
import type { EphemeralSettings } from '../../src/settings/registry.ts';
import { type Scripted, ScriptedModel } from './scripted-model.ts';

const open: Conversation[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const chat of open.splice(0)) await chat.close().catch(() => {});
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The real path of a new folder, which is deleted after the test. */
export function ownFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'density-chat-')));
  folders.push(folder);
  return folder;
}

/** A workspace and a folder of sessions, with conversations whose model follows a script. */
export class ChatRoom {
  readonly home = ownFolder();
  readonly root = path.join(this.home, 'work');
  readonly folder = path.join(this.home, 'sessions');
  readonly guardLog = new GuardLog(path.join(this.home, 'live'));
  readonly events: ChatEvent[] = [];
  approval: Approval = 'once';

  constructor(files: Readonly<Record<string, string>> = {}) {
    mkdirSync(this.root);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.root, name)), { recursive: true });
      writeFileSync(path.join(this.root, name), content);
    }
  }

  get notices(): string[] {
    return this.events.flatMap((event) => (event.kind === 'notice' ? event.text : []));
  }

  async open(
    answers: readonly Scripted[],
    {
      beginning = { kind: 'new' },
      settings = {},
      ...more
    }: Omit<Partial<ConversationOptions>, 'settings'> & { beginning?: Beginning; settings?: EphemeralSettings } = {},
  ): Promise<{ chat: Conversation; model: ScriptedModel }> {
    const model = new ScriptedModel(answers);
    const chat = new Conversation(
      {
        workspace: new Workspace(this.root),
        settings: await ChatSettings.open(
          { 'compression.engine': 'inline', ...settings },
          { folder: this.root, profiles: new ProfileStore(path.join(this.home, 'profiles')) },
        ),
        folder: this.folder,
        guardLog: this.guardLog,
        createModel: (name) => (name === undefined ? model : new ScriptedModel([], name)),
        createSummarizer: () => {
          throw new Error('no summaries here');
        },
        approve: async () => this.approval,
        emit: (event) => this.events.push(event),
        wait: async () => {},
        ...more,
      },
      beginning,
    );
    open.push(chat);
    return { chat, model };
  }
}

export const NEVER: AbortSignal = new AbortController().signal;
