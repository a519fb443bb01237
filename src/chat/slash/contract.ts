import { CompressionStrategyError } from '../../errors.ts';
import type { CompressionOutcome } from '../../gate/report.ts';
import type { EngineStats } from '../../history/engine.ts';
import type { Restoration } from '../../history/undo/restoration.ts';
import type { ListedProfile } from '../../settings/profile-store.ts';
import type { ExplainedSetting } from '../../settings/sources.ts';
import type { Todo } from '../../strategies/contract.ts';
import type { ContextShares } from '../context-shares.ts';
import type { ChatStatus, Conversation } from '../conversation.ts';
import type { StoredSession } from '../session/session-files.ts';

/** The error for wrong arguments of a command; `expected` is its usage. */
export const wrongUsage = (expected: string, words: readonly string[]): CompressionStrategyError =>
  new CompressionStrategyError(
    `Expected \`${expected}\`, got ${words.length === 0 ? 'no argument' : `\`${words.join(' ')}\``}.`,
    'USAGE',
  );

/** What a command found or did. */
export type SlashOutcome =
  | { readonly kind: 'said'; readonly lines: readonly string[] }
  | { readonly kind: 'help'; readonly commands: readonly SlashCommand[] }
  | { readonly kind: 'settings'; readonly settings: readonly ExplainedSetting[] }
  | { readonly kind: 'profiles'; readonly profiles: readonly ListedProfile[] }
  | {
      readonly kind: 'compressed';
      readonly outcome: CompressionOutcome;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly tookMs: number;
    }
  | {
      readonly kind: 'undone';
      readonly restoration: Restoration;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | { readonly kind: 'context'; readonly shares: ContextShares; readonly status: ChatStatus }
  | {
      readonly kind: 'stats';
      readonly status: ChatStatus;
      readonly engine: EngineStats;
      readonly entries: number;
      readonly path: string;
    }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'sessions'; readonly sessions: readonly StoredSession[]; readonly open: string }
  | { readonly kind: 'switched'; readonly lines: readonly string[] }
  | { readonly kind: 'quit' }
  /** The command was aborted. `isStopped`: nothing changed; else it continues in the background. */
  | { readonly kind: 'cancelled'; readonly isStopped: boolean };

/** A command that begins with `/`. */
export interface SlashCommand {
  readonly name: string;
  /** The arguments: `<required>` and `[optional]`. */
  readonly usage: string;
  /** One line. */
  readonly help: string;
  /** Candidates for the last of `words`, which may be empty. `words` are the words after the name. */
  readonly complete?: (words: readonly string[], chat: Conversation) => readonly string[] | Promise<readonly string[]>;
  /** How many words it takes at most; more are wrong usage. Absent: `run` checks them, or ignores them. */
  readonly mostWords?: number;
  /** True if an abort stops the command; else it continues in the background. */
  readonly isAbortable?: true;
  /** @throws CompressionStrategyError with a message for the user; the reason of `signal` if `isAbortable`. */
  readonly run: (words: readonly string[], chat: Conversation, signal: AbortSignal) => Promise<SlashOutcome>;
}
