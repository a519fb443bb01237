/** Compiled against the packed package by every TypeScript that is supported: see test/package/package.test.ts. */
import {
  createEphemerals,
  createHistoryService,
  createUserMessage,
  type HistoryService,
  type IContent,
  PreSendGate,
} from 'high-density';
import { type CompactOptions, compactMessages, type Message } from 'high-density/compact';
import { detectFormat, linesOfText, type Session } from 'high-density/formats';
import { createProvider, type ModelProviderOptions } from 'high-density/providers';
import { type ComparedProfile, DEFAULT_PROFILES, type ReplayResult, replaySession } from 'high-density/replay';
import { BlockArchive, type FoundSession, foundSessions } from 'high-density/sessions';
import { type EphemeralSettings, ProfileStore, parseSettings } from 'high-density/settings';
import { getCompressionStrategy } from 'high-density/strategies';
import { type CountBlock, countEntry, createTokenizer } from 'high-density/tokens';

const model = 'gpt-5';
const history: HistoryService = createHistoryService({ model });
const message: IContent = createUserMessage('Is anybody there?');
history.add(message);

const settings: EphemeralSettings = { 'context-limit': 100_000 };
export const gate = new PreSendGate(history, {
  runtimeContext: { ephemerals: createEphemerals([settings], { model }), workspaceRoot: '/work' },
  runtimeState: { model },
  createStrategy: (name) => getCompressionStrategy(name),
});

export const session: Session = detectFormat('').read(linesOfText(''));
export const replayed = (): Promise<ReplayResult> =>
  replaySession(
    session,
    { strategy: 'high-density', model, engine: 'inline' },
    {
      createStrategy: (name) => getCompressionStrategy(name),
      ephemerals: createEphemerals([], { model }),
      clock: () => performance.now(),
    },
  );

export const compacted = (messages: Message[], options: CompactOptions) => compactMessages(messages, options);
export const provider = (options: ModelProviderOptions) => createProvider('anthropic', options);
export const found: readonly FoundSession[] = foundSessions();
export const policies: readonly ComparedProfile[] = DEFAULT_PROFILES;
export const tokens: number = countEntry(message, createTokenizer('o200k'));
export const others: readonly [CountBlock | undefined, typeof BlockArchive, typeof ProfileStore, typeof parseSettings] =
  [undefined, BlockArchive, ProfileStore, parseSettings];
