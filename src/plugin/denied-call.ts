/** The answer to `PreToolUse` by which a call is not run, as Claude Code and Codex read it. */
export const deniedFor = (reason: string): object => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  },
});
