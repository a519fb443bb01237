import type { WrappedAgent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { clineCli } from './cline/cline-cli.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { droid } from './droid.ts';
import { geminiCli } from './gemini-cli.ts';
import { grok } from './grok.ts';
import { kimiCode } from './kimi-code.ts';
import { ohMyPi } from './oh-my-pi.ts';
import { kilo, opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwenCode } from './qwen-code.ts';

/** The agents that can be started through the proxy. */
export const WRAPPED_AGENTS: readonly WrappedAgent[] = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  pi,
  ohMyPi,
  kimiCode,
  qwenCode,
  kilo,
  copilotCli,
  clineCli,
  droid,
  grok,
];
