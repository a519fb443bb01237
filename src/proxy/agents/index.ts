import type { WrappedAgent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { geminiCli } from './gemini-cli.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';

/** The agents that can be started through the proxy. */
export const WRAPPED_AGENTS: readonly WrappedAgent[] = [claudeCode, codex, geminiCli, opencode, pi];
