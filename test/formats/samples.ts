import type { FormatSample } from '../contracts/format.ts';
import { aiSdkMessagesSample } from './ai-sdk-messages-fixture.ts';
import { aiSdkUiSample } from './ai-sdk-ui-fixture.ts';
import { aiderSample } from './aider-fixture.ts';
import { anthropicMessagesSample } from './anthropic-messages-fixture.ts';
import { atifSample } from './atif-fixture.ts';
import { claudeCodeSample } from './claude-code-fixture.ts';
import { claudeCodeStreamSample } from './claude-code-stream-fixture.ts';
import { clineSample } from './cline-fixture.ts';
import { codexSample } from './codex-fixture.ts';
import { copilotCliSample } from './copilot-cli-fixture.ts';
import { geminiApiSample } from './gemini-api-fixture.ts';
import { geminiCheckpointSample } from './gemini-checkpoint-fixture.ts';
import { geminiCliJsonSample, geminiCliSample } from './gemini-cli-fixture.ts';
import { highDensitySample } from './high-density-fixture.ts';
import { llxprtCheckpointSample } from './llxprt-checkpoint-fixture.ts';
import { llxprtSample } from './llxprt-fixture.ts';
import { miniSweAgentSample } from './mini-swe-agent-fixture.ts';
import { openaiChatSample } from './openai-chat-fixture.ts';
import { openaiResponsesSample } from './openai-responses-fixture.ts';
import { opencodeSample } from './opencode-fixture.ts';
import { openhandsSample } from './openhands-fixture.ts';
import { piSample } from './pi-fixture.ts';
import { qwenCodeSample } from './qwen-code-fixture.ts';
import { sweAgentSample } from './swe-agent-fixture.ts';

/** Invented files of every format, by its name. A new format adds one line. */
export const SAMPLES: Readonly<Record<string, FormatSample>> = {
  'ai-sdk-messages': aiSdkMessagesSample,
  'ai-sdk-ui': aiSdkUiSample,
  aider: aiderSample,
  'anthropic-messages': anthropicMessagesSample,
  atif: atifSample,
  cline: clineSample,
  codex: codexSample,
  'copilot-cli': copilotCliSample,
  'claude-code': claudeCodeSample,
  'gemini-cli': geminiCliSample,
  'gemini-cli-json': geminiCliJsonSample,
  'gemini-checkpoint': geminiCheckpointSample,
  'high-density': highDensitySample,
  llxprt: llxprtSample,
  'llxprt-checkpoint': llxprtCheckpointSample,
  'mini-swe-agent': miniSweAgentSample,
  'gemini-api': geminiApiSample,
  'openai-chat': openaiChatSample,
  opencode: opencodeSample,
  'openai-responses': openaiResponsesSample,
  openhands: openhandsSample,
  pi: piSample,
  'qwen-code': qwenCodeSample,
  'claude-code-stream': claudeCodeStreamSample,
  'swe-agent': sweAgentSample,
};
