import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { gemini, qwenCode } from './gemini.ts';
import { llxprt } from './llxprt.ts';
import { miniSweAgent } from './mini-swe-agent.ts';
import { opencode } from './opencode.ts';
import { openhands } from './openhands.ts';
import { pi } from './pi.ts';
import { sweAgent } from './swe-agent.ts';
import { terminus } from './terminus.ts';
import { anyAgent, type ToolVocabulary } from './vocabulary.ts';

/** All vocabularies by name. Source: recordings of each agent. */
export const VOCABULARIES: ReadonlyMap<string, ToolVocabulary> = new Map(
  [
    llxprt,
    claudeCode,
    codex,
    gemini,
    cline,
    opencode,
    pi,
    sweAgent,
    openhands,
    miniSweAgent,
    copilotCli,
    terminus,
    qwenCode,
    anyAgent,
  ].map((vocabulary) => [vocabulary.name, vocabulary]),
);
