type Fields = Readonly<Record<string, unknown>>;

const partsOf = (content: unknown): Fields[] => (Array.isArray(content) ? content : []);
const same = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  JSON.stringify([...left].sort()) === JSON.stringify([...right].sort());

/** Neighbours of one role as one message: the API joins them itself. */
function joined(messages: readonly Fields[]): { role: unknown; parts: Fields[] }[] {
  const turns: { role: unknown; parts: Fields[] }[] = [];
  for (const { role, content } of messages) {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : partsOf(content);
    const last = turns.at(-1);
    if (last && last.role === role) last.parts.push(...parts);
    else turns.push({ role, parts: [...parts] });
  }
  return turns;
}

/** What Anthropic's Messages API would reject in a list of messages. A call may be open at the very end. */
export function anthropicFaults(messages: readonly Fields[]): string[] {
  const turns = joined(messages);
  const faults: string[] = [];
  const seen = new Set<unknown>();
  if (messages.some(({ content }) => content === '' || (Array.isArray(content) && content.length === 0)))
    faults.push('an empty message');
  for (const [index, { role, parts }] of turns.entries()) {
    const calls = parts.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    const results = parts.filter(({ type }) => type === 'tool_result').map((part) => part['tool_use_id']);
    const firstOther = parts.findIndex(({ type }) => type !== 'tool_result');
    const lastResult = parts.findLastIndex(({ type }) => type === 'tool_result');
    if (role === 'user' && firstOther !== -1 && firstOther < lastResult)
      faults.push(`turn ${index}: results not first`);
    if (role === 'assistant' && parts.every(({ type }) => type === 'thinking' || type === 'redacted_thinking'))
      faults.push(`turn ${index}: thinking alone`);
    const asked = turns[index - 1]?.parts.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])) ?? [];
    if (role === 'user' && !same(asked, results)) faults.push(`turn ${index}: ${results} answers ${asked}`);
    for (const id of calls) {
      if (seen.has(id)) faults.push(`turn ${index}: ${String(id)} again`);
      seen.add(id);
    }
  }
  return faults;
}

/** What OpenAI's Chat Completions API would reject in a list of messages. Calls may be open at the very end. */
function openaiFaults(messages: readonly Fields[]): string[] {
  const faults: string[] = [];
  let open: unknown[] = [];
  for (const [index, message] of messages.entries()) {
    const calls = partsOf(message['tool_calls']);
    if (message['role'] === 'tool') {
      const place = open.indexOf(message['tool_call_id']);
      if (place === -1) faults.push(`message ${index}: a result without a call`);
      else open.splice(place, 1);
      continue;
    }
    if (open.length > 0) faults.push(`message ${index}: ${open} unanswered`);
    open = calls.map(({ id }) => id);
    const isEmpty = message['content'] === null || message['content'] === undefined;
    if (isEmpty && calls.length === 0) faults.push(`message ${index}: nothing in it`);
    if ('tool_calls' in message && calls.length === 0) faults.push(`message ${index}: an empty list of calls`);
  }
  return faults;
}

/** What the Responses API would reject in a list of items. Calls may be open at the very end. */
function responsesFaults(items: readonly Fields[]): string[] {
  const faults: string[] = [];
  const open = new Set<unknown>();
  for (const [index, { type, call_id: id }] of items.entries()) {
    if (typeof type !== 'string') continue;
    if (id !== undefined && type.endsWith('_call')) open.add(id);
    else if (type.endsWith('_call_output') && !open.delete(id)) faults.push(`item ${index}: an output without a call`);
    const next = items[index + 1]?.['type'];
    if (type === 'reasoning' && next !== undefined && String(next).endsWith('_output'))
      faults.push(`item ${index}: reasoning that leads to nothing`);
    const isUser = type === 'message' && items[index]?.['role'] === 'user';
    if (isUser && items[index - 1]?.['type'] === 'reasoning')
      faults.push(`item ${index - 1}: reasoning that leads to nothing`);
    if (isUser && open.size > 0) faults.push(`item ${index}: ${[...open]} unanswered`);
  }
  return faults;
}

const keyed = (parts: readonly Fields[], key: string): Fields[] =>
  parts.map((part) => part[key]).filter((value): value is Fields => typeof value === 'object' && value !== null);

/** What the Gemini API would reject in a list of turns. The calls of the last turn may be open. */
function geminiFaults(turns: readonly Fields[]): string[] {
  const faults: string[] = [];
  for (const [index, { role, parts: given }] of turns.entries()) {
    const parts = partsOf(given);
    if (role !== 'user' && role !== 'model') faults.push(`turn ${index}: role ${String(role)}`);
    if (parts.length === 0) faults.push(`turn ${index}: nothing in it`);
    const calls = keyed(parts, 'functionCall');
    const next = turns[index + 1];
    if (calls.length > 0 && role !== 'model') faults.push(`turn ${index}: calls of a user`);
    if (calls.length > 0 && next) {
      const answers = keyed(partsOf(next['parts']), 'functionResponse');
      if (!same(calls.map(({ name }) => name).toSorted(), answers.map(({ name }) => name).toSorted()))
        faults.push(`turn ${index}: ${calls.length} calls, ${answers.length} responses behind it`);
    }
    const before = index === 0 ? [] : partsOf(turns[index - 1]?.['parts']);
    if (keyed(parts, 'functionResponse').length > 0 && keyed(before, 'functionCall').length === 0)
      faults.push(`turn ${index}: responses without calls before them`);
    for (const { response } of keyed(parts, 'functionResponse'))
      if (typeof response !== 'object' || response === null || Array.isArray(response))
        faults.push(`turn ${index}: a response that is no object`);
  }
  return faults;
}

/** What the API that a file is written for would reject of it. */
export function apiFaults(format: string, text: string): string[] {
  if (format === 'codex') {
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; payload: Fields });
    return responsesFaults(lines.flatMap(({ type, payload }) => (type === 'response_item' ? [payload] : [])));
  }
  if (format === 'gemini-api' || format === 'gemini-checkpoint') {
    const { contents, history } = JSON.parse(text) as { contents?: Fields[]; history?: Fields[] };
    return geminiFaults(contents ?? history ?? []);
  }
  if (format === 'openai-responses') {
    const { input } = JSON.parse(text) as { input?: Fields[] };
    return responsesFaults(input ?? []);
  }
  if (format !== 'anthropic-messages' && format !== 'openai-chat') return [];
  const document: unknown = JSON.parse(text);
  const messages = (Array.isArray(document) ? document : (document as { messages: Fields[] }).messages) as Fields[];
  return format === 'openai-chat' ? openaiFaults(messages) : anthropicFaults(messages);
}
