import path from 'node:path';
import { ChatSettings } from '../../chat/chat-settings.ts';
import { Conversation, type ConversationOptions } from '../../chat/conversation.ts';
import { findSession } from '../../chat/session-files.ts';
import type { Beginning } from '../../chat/session-loading.ts';
import { Workspace } from '../../chat/workspace.ts';
import { BlockArchive } from '../../gate/block-archive.ts';
import { processPool } from '../../offload/create-history-service.ts';
import { configuredVendor, createChatModel, createProvider } from '../../providers/index.ts';
import { ProfileStore } from '../../settings/profile-store.ts';
import type { ChatOptions } from '../chat.ts';
import { archiveFolder, sessionsFolder } from '../data-folder.ts';
import { UsageError } from '../failure.ts';
import { settingsOf } from '../policy-options.ts';
import { terminal } from '../terminal.ts';
import type { EarlyLine } from './early-line.ts';
import { loadScreen } from './load-screen.ts';
import { runPlain } from './plain.ts';

/** Opens the conversation for a screen that hears its events and answers what is asked. */
export type OpenConversation = (screen: Pick<ConversationOptions, 'emit' | 'approve'>) => Conversation;

function providerOf({ provider, model }: ChatOptions): string {
  const name = provider ?? configuredVendor() ?? (model === undefined ? undefined : 'openai-compatible');
  if (name !== undefined) return name;
  throw new UsageError(
    'Expected a model to talk with, got none. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or name a server: --provider openai-compatible --base-url http://localhost:11434/v1 --model <name>.',
  );
}

function beginningOf({ resume, from }: ChatOptions, workspaceRoot: string): Beginning {
  if (resume !== undefined && from !== undefined) {
    throw new UsageError(
      'Expected --resume or --from, got both. --from continues a copy, --resume the session itself.',
    );
  }
  if (from !== undefined) return { kind: 'from', path: path.resolve(from) };
  if (resume === undefined) return { kind: 'new' };
  const wanted = resume === true ? undefined : resume;
  const found = findSession(sessionsFolder(), { wanted, workspaceRoot });
  return { kind: 'resume', path: found.path, id: found.id };
}

/** Runs `density chat` until the user ends it: on a live screen that takes over from `early`, in lines where there is none. */
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
  const beginning = beginningOf(options, workspace.root);
  const open: OpenConversation = (screen) =>
    new Conversation(
      {
        ...screen,
        workspace,
        settings,
        folder: sessionsFolder(),
        archive: new BlockArchive(archiveFolder()),
        createModel: (name) => createChatModel(provider, { ...access, ...(name !== undefined && { model: name }) }),
        createSummarizer: (model) => createProvider(provider, { ...access, model }),
        ...(options.model !== undefined && { model: options.model }),
        ...(options.yes && { allowed: ['write', 'shell'] }),
      },
      beginning,
    );
  try {
    const screens = terminal();
    if (early === undefined) await runPlain(open, { message, screens });
    else {
      const { runScreen } = await loadScreen();
      await runScreen(open, { message, screen: screens.out, early });
    }
  } finally {
    await processPool().close();
  }
}
