import { CompressionStrategyError } from '../errors.ts';
import { aiSdkMessages } from './ai-sdk/ai-sdk-messages.ts';
import { aiSdkUi } from './ai-sdk/ai-sdk-ui.ts';
import { aider } from './aider/aider.ts';
import { anthropicMessages } from './anthropic/anthropic-messages.ts';
import { atif } from './atif/atif.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { claudeCodeStream } from './claude-code-stream/claude-code-stream.ts';
import { cline } from './cline/cline.ts';
import { codex } from './codex/codex.ts';
import type { SessionFormat } from './contract.ts';
import { copilotCli } from './copilot-cli/copilot-cli.ts';
import { foreignKind } from './foreign-kind.ts';
import { geminiApi } from './gemini/gemini-api.ts';
import { geminiCheckpoint } from './gemini/gemini-checkpoint.ts';
import { geminiCli } from './gemini/gemini-cli.ts';
import { geminiCliJson } from './gemini/gemini-cli-json.ts';
import { highDensity } from './high-density/high-density.ts';
import { wholeHead } from './json/json-file.ts';
import { llxprt } from './llxprt/llxprt.ts';
import { llxprtCheckpoint } from './llxprt/llxprt-checkpoint.ts';
import { miniSweAgent } from './mini-swe-agent/mini-swe-agent.ts';
import { openaiChat } from './openai-chat/openai-chat.ts';
import { openaiResponses } from './openai-responses/openai-responses.ts';
import { opencode } from './opencode/opencode.ts';
import { openhands } from './openhands/openhands.ts';
import { pi } from './pi/pi.ts';
import { qwenCode } from './qwen-code/qwen-code.ts';
import { sweAgent } from './swe-agent/swe-agent.ts';

/** All formats, in the order of lists for a user. */
export const SESSION_FORMATS: readonly SessionFormat[] = [
  claudeCode,
  codex,
  geminiCli,
  geminiCliJson,
  cline,
  copilotCli,
  geminiCheckpoint,
  llxprt,
  llxprtCheckpoint,
  opencode,
  pi,
  qwenCode,
  claudeCodeStream,
  anthropicMessages,
  openaiChat,
  openaiResponses,
  geminiApi,
  aiSdkMessages,
  aiSdkUi,
  sweAgent,
  miniSweAgent,
  openhands,
  atif,
  aider,
  highDensity,
];

const known = (): string => SESSION_FORMATS.map(({ name }) => name).join(', ');

const formatsOf = (head: string): SessionFormat[] =>
  foreignKind(head) === undefined ? SESSION_FORMATS.filter((format) => format.detect(head)) : [];

/**
 * The format of a file with this first line; `undefined` if the line is not whole JSON or fits several formats. It finds
 * formats of lines, and documents of one line, with a hundredth of the work.
 */
export function formatOfLine(line: string): SessionFormat | undefined {
  const found = wholeHead(line) === undefined ? [] : formatsOf(line);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * The format of a file, by the content of `head`: at least its first 256 KB, decoded.
 * @throws CompressionStrategyError `SESSION_FORMAT_UNKNOWN` if no format or several formats match.
 */
export function detectFormat(head: string): SessionFormat {
  const found = formatsOf(head);
  if (found.length === 1) return found[0] as SessionFormat;
  const foreign = foreignKind(head);
  if (foreign !== undefined)
    throw new CompressionStrategyError(
      `Expected a session in a known format, got ${foreign}, which is not read. docs/formats.md lists the formats.`,
      'SESSION_FORMAT_UNKNOWN',
    );
  const got = head.trim() === '' ? 'an empty file' : JSON.stringify(head.trimStart().slice(0, 60));
  throw new CompressionStrategyError(
    found.length === 0
      ? `Expected a session in a known format, got ${got}. If it is one, it may be cut, or --format <name> forces its format (docs/formats.md).`
      : `Expected a session in one format, got one that may be ${found.map(({ name }) => name).join(' or ')}. Force one with --format <name>.`,
    'SESSION_FORMAT_UNKNOWN',
  );
}

/**
 * The format of this name.
 * @throws CompressionStrategyError `SESSION_FORMAT_UNKNOWN` with the known names.
 */
export function formatNamed(name: string): SessionFormat {
  const format = SESSION_FORMATS.find((candidate) => candidate.name === name);
  if (format) return format;
  throw new CompressionStrategyError(
    `Expected a session format (${known()}), got ${JSON.stringify(name)}.`,
    'SESSION_FORMAT_UNKNOWN',
  );
}
