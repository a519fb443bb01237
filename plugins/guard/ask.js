/** Why `density wrap` wants a call not to run; undefined: it runs, also if anything goes wrong here. Most calls are not asked for. */
export async function refusal({ tool, input, session, folder }) {
  try {
    const url = process.env.DENSITY_GUARD;
    // Every marker that the wrapper sends has this word.
    if (!url || !JSON.stringify(input).includes('density:')) return undefined;
    const event = {
      hook_event_name: 'PreToolUse',
      session_id: session,
      cwd: folder,
      tool_name: tool,
      tool_input: input,
    };
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
      signal: AbortSignal.timeout(2_000),
    });
    return (await answer.json()).hookSpecificOutput?.permissionDecisionReason;
  } catch {
    return undefined;
  }
}
