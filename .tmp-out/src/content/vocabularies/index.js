import { claudeCode } from './claude-code.js';
import { cline } from './cline.js';
import { codex } from './codex.js';
import { copilotCli } from './copilot-cli.js';
import { gemini } from './gemini.js';
import { llxprt } from './llxprt.js';
import { miniSweAgent } from './mini-swe-agent.js';
import { opencode } from './opencode.js';
import { openhands } from './openhands.js';
import { pi } from './pi.js';
import { sweAgent } from './swe-agent.js';
/** Every vocabulary by its name, which is what crosses to a thread. Source: recordings of each agent. */
export const VOCABULARIES = new Map([llxprt, claudeCode, codex, gemini, cline, opencode, pi, sweAgent, openhands, miniSweAgent, copilotCli].map((vocabulary) => [vocabulary.name, vocabulary]));
