import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CompressionStrategyError, processPool } from 'high-density';
import { sessionPlaces } from 'high-density/sessions';
import { Conversation } from './conversation.ts';
import { Screen } from './screen.ts';
import { Settings } from './settings.ts';
import { isSlashCommand, runSlashCommand, tokensIn } from './slash.ts';

const USAGE = `node chat.ts [--provider anthropic] [--model <name>] [--base-url <url>] [--engine inline|offloaded]
  --session <file>  the file of the conversation, continued if it exists (default: a new one)
  --from <file>     begin with a copy of a session of any agent
/help lists what you can type. The key of the provider comes from the environment.`;

const { values: options } = parseArgs({
  options: {
    provider: { type: 'string', default: 'anthropic' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    engine: { type: 'string' },
    session: { type: 'string' },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** A new file where `density sessions` finds it. */
function newSession(): string {
  const folder = sessionPlaces().find(({ agent }) => agent === 'density')?.folder ?? process.cwd();
  return path.join(folder, `${new Date().toISOString().replaceAll(/\D/g, '')}-${randomBytes(2).toString('hex')}.jsonl`);
}

async function chat(): Promise<void> {
  const screen = new Screen();
  screen.setPrompt('> ');
  const settings = new Settings();
  await settings.set(options.engine === undefined ? {} : { 'compression.engine': options.engine });
  const conversation = new Conversation({
    vendor: options.provider,
    access: {
      ...(options.model !== undefined && { model: options.model }),
      ...(options['base-url'] !== undefined && { baseUrl: options['base-url'] }),
    },
    settings,
    session: options.session ?? newSession(),
    ...(options.from !== undefined && { from: options.from }),
    onNotice: (text) => screen.print(text),
  });
  const { history, model } = conversation;
  const showTokens = (): void => {
    const limit = settings.ephemerals(model.model).contextLimit();
    screen.setPrompt(`${tokensIn(history.getTotalTokens())} of ${tokensIn(limit)} > `);
  };
  /** Ends the step that runs; `ended` ends all that follow too. */
  let stop: AbortController | undefined;
  const ended = new AbortController();

  /** Returns what failed; the next line may be typed then. */
  async function run(line: string, signal: AbortSignal): Promise<string | undefined> {
    if (isSlashCommand(line)) {
      for (const text of await runSlashCommand(line, conversation, signal)) screen.print(text);
      return undefined;
    }
    if (line.trim() === '') return undefined;
    const { report, failure } = await conversation.say(line, { signal, onText: (part) => screen.add(part) });
    screen.endAnswer();
    const { tokensBefore, tokensAfter } = report;
    if (tokensAfter < tokensBefore) screen.print(`[pruned: ${tokensBefore} → ${tokensAfter} tokens]`);
    return failure;
  }

  async function guarded(step: (signal: AbortSignal) => Promise<string | undefined>): Promise<void> {
    stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, ended.signal]);
    let failure: string | undefined;
    try {
      signal.throwIfAborted();
      failure = await step(signal);
    } catch (error) {
      if (!signal.aborted && !(error instanceof CompressionStrategyError)) throw error;
      failure = signal.aborted ? 'Cancelled.' : (error as Error).message;
    }
    stop = undefined;
    screen.endAnswer();
    if (failure !== undefined && !ended.signal.aborted) screen.print(failure);
    process.exitCode = failure === undefined ? 0 : 1;
    showTokens();
  }

  screen.print(`${model.model} · ${settings.engine} · ${conversation.session}`);
  history.on('tokensUpdated', showTokens);
  let steps = guarded(async (signal) => {
    const onProgress = (share: number): void => screen.setPrompt(`reading ${Math.round(share * 100)}% > `);
    const entries = await conversation.begin(onProgress, signal);
    if (entries > 0) screen.print(`Resumed with ${entries} entries.`);
    return undefined;
  }).then(() => {
    // Without its first entries a conversation must not go on.
    if (process.exitCode !== 1) return;
    ended.abort();
    screen.lines.close();
  });
  screen.lines.on('line', (line) => {
    steps = steps.then(() => guarded((signal) => run(line, signal)));
  });
  // Ctrl-C ends what runs, else the chat.
  screen.lines.on('SIGINT', () => (stop ? stop.abort() : screen.lines.close()));
  // Ctrl-D on a terminal ends all; lines of a pipe still run.
  await new Promise((resolve) => screen.lines.on('close', resolve));
  if (screen.isLive) ended.abort();
  await steps;
  history.off('tokensUpdated', showTokens);
  await conversation.close();
  await processPool().close();
}

if (options.help) console.log(USAGE);
else
  await chat().catch((error: unknown) => {
    console.error(error instanceof CompressionStrategyError ? error.message : error);
    process.exit(1);
  });
