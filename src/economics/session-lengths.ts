/** Recorded sessions of an agent (the name of its session format) in a repository: their numbers of model calls. */
interface RecordedLengths {
  readonly agent: string;
  readonly repository: string;
  readonly calls: readonly number[];
}

/** Source: 138 sessions of public repositories, counted on 2026-11-22 as `density inspect` counts them. */
export const SESSION_LENGTHS: readonly RecordedLengths[] = [
  { agent: 'claude-code', repository: 'EntityProcess/agentv', calls: [15] },
  {
    agent: 'claude-code',
    repository: 'JanDeDobbeleer/oh-my-posh',
    calls: [3, 16, 17, 20, 24, 30, 38, 38, 40, 48, 49, 59, 59, 71, 96, 538],
  },
  { agent: 'claude-code', repository: 'd-kimuson/claude-code-viewer', calls: [7, 9, 10] },
  { agent: 'claude-code', repository: 'entireio/cli', calls: [5, 13, 20, 23, 32, 37, 51, 51, 57, 175] },
  { agent: 'claude-code', repository: 'entireio/git-sync', calls: [6, 10, 27, 61, 103, 171, 286, 393] },
  { agent: 'claude-code', repository: 'moredip/session-share', calls: [2, 2, 2, 2, 2, 2, 2, 3, 11] },
  { agent: 'cline', repository: 'RooCodeInc/Roo-Code', calls: [10, 15] },
  { agent: 'cline', repository: 'cline/cline', calls: [16] },
  { agent: 'codex', repository: 'EntityProcess/agentv', calls: [11, 29, 35, 55, 61, 134, 180] },
  { agent: 'codex', repository: 'Mai0313/VibeCodingTracker', calls: [19] },
  { agent: 'codex', repository: 'chikachow/cyspbot', calls: [7, 11, 11, 16, 17, 27, 28, 32, 45, 56] },
  {
    agent: 'codex',
    repository: 'entireio/git-sync',
    calls: [12, 14, 15, 15, 24, 40, 101, 121, 125, 164, 170, 188, 314, 421],
  },
  {
    agent: 'codex',
    repository: 'savekirk/session-bridge',
    calls: [6, 17, 18, 23, 27, 28, 34, 36, 37, 48, 55, 64, 94, 145],
  },
  { agent: 'copilot-cli', repository: 'EntityProcess/agentv', calls: [1, 1, 54] },
  { agent: 'copilot-cli', repository: 'eitatech/gatomia-vscode', calls: [13] },
  { agent: 'gemini-cli', repository: 'Mai0313/VibeCodingTracker', calls: [6] },
  { agent: 'gemini-cli-json', repository: 'Mai0313/VibeCodingTracker', calls: [3] },
  { agent: 'gemini-cli-json', repository: 'savekirk/session-bridge', calls: [3, 10, 10, 38] },
  {
    agent: 'opencode',
    repository: 'eitatech/gatomia-vscode',
    calls: [2, 6, 6, 7, 7, 7, 8, 10, 14, 22, 23, 27, 30, 32, 35, 36, 36, 45],
  },
  { agent: 'opencode', repository: 'nivalis-studio/biome-config', calls: [3, 4, 10] },
  { agent: 'opencode', repository: 'savekirk/session-bridge', calls: [3, 3, 10, 14, 68] },
  { agent: 'pi', repository: 'badlogic/pi-mono', calls: [431] },
  { agent: 'pi', repository: 'raquezha/pi.dev', calls: [6, 12, 16, 91, 132] },
];
