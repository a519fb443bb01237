import path from 'node:path';
import { ChatSettings } from '../../../chat/chat-settings.ts';
import { Conversation, type OpenConversation } from '../../../chat/conversation.ts';
import { findSession } from '../../../chat/session/session-files.ts';
import type { Beginning } from '../../../chat/session/session-loading.ts';
import { Workspace } from '../../../chat/workspace.ts';
import { GuardLog } from '../../../guard/guard-log.ts';
import { processPool } from '../../../offload/create-history-service.ts';
import { configuredVendor, createChatModel, createProvider } from '../../../providers/index.ts';
import { userArchive } from '../../../sessions/archive/user-archive.ts';
import { liveFolder, sessionsFolder } from '../../../sessions/places/data-folder.ts';
import { ProfileStore } from '../../../settings/profile-store.ts';
import { sessionPath } from '../../options/session-path.ts';
import { settingsOf } from '../../options/setting-options.ts';
import { terminal, UsageError } from '../../terminal/terminal.ts';
import type { EarlyLine } from './input/early-line.ts';
import { runPlain } from './plain.ts';

/** Options of `density chat` that are not settings. */
export interface ChatOptions {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly workspace?: string;
  readonly yes?: boolean;
  readonly plain?: boolean;
  /** An id, or `true` for the newest session. */
  readonly resume?: string | true;
  readonly from?: string;
}

function providerOf({ provider, model }: ChatOptions): string {
  const name = provider ?? configuredVendor() ?? (model === undefined ? undefined : 'openai-compatible');
  if (name !== undefined) return name;
  throw new UsageError(
    'Expected a model to talk with, got none. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or name a server: --provider openai-compatible --base-url http://localhost:11434/v1 --model <name>.',
  );
}

async function beginningOf({ resume, from }: ChatOptions, workspaceRoot: string): Promise<Beginning> {
  if (resume !== undefined && from !== undefined) {
    throw new UsageError(
      'Expected --resume or --from, got both. --resume continues the session itself, --from a copy of it.',
    );
  }
  if (from !== undefined) return { kind: 'from', path: path.resolve(await sessionPath(from)) };
  if (resume === undefined) return { kind: 'new' };
  const wanted = resume === true ? undefined : resume;
  const found = findSession(sessionsFolder(), { wanted, workspaceRoot });
  return { kind: 'resume', path: found.path, id: found.id };
}

/** Runs `density chat` until the user quits: on the live screen if there is an early line, else as plain lines. */
export async function runChat(
  message: string | undefined,
  options: ChatOptions,
  early: EarlyLine | undefined,
): Promise<void> {
  const provider = providerOf(options);
  const access = options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl };
  const workspace = new Workspace(options.workspace ?? process.cwd());
  const settings = await ChatSettings.open(settingsOf({ ...options }), {
    folder: workspace.root,
    profiles: new ProfileStore(),
  });
  const beginning = await beginningOf(options, workspace.root);
  const open: OpenConversation = (screen) => {
    const { missingProfile: text } = settings;
    if (text !== undefined) screen.emit({ kind: 'notice', text });
    return new Conversation(
      {
        ...screen,
        workspace,
        settings,
        folder: sessionsFolder(),
        archive: userArchive(settings.layers),
        guardLog: new GuardLog(liveFolder()),
        createModel: (name) => createChatModel(provider, { ...access, ...(name !== undefined && { model: name }) }),
        createSummarizer: (model) => createProvider(provider, { ...access, model }),
        ...(options.model !== undefined && { model: options.model }),
        ...(options.yes && { allowed: ['write', 'shell'] }),
      },
      beginning,
    );
  };
  try {
    const screens = terminal();
    if (early === undefined) await runPlain(open, { message, screens });
    else {
      const { runScreen } = await import('./screen/live-screen.tsx');
      await runScreen(open, { message, screen: screens.out, early });
    }
  } finally {
    await processPool().close();
  }
}
