import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../../../disk/owner-only.ts';
import { messageOf } from '../../../errors.ts';
import { packageFile } from '../../../package-file.ts';
import type { WrappedAgent } from '../../../proxy/agents/agent.ts';
import { WRAPPED_AGENTS } from '../../../proxy/agents/index.ts';
import { otherAgent } from '../../../proxy/agents/other-agent.ts';
import { baseUrl } from '../../../proxy/agents/settings/provider-mount.ts';
import { RUN_VARIABLE } from '../../../proxy/run-variables.ts';
import { runWrapped } from '../../../proxy/wrap/wrapped-run.ts';
import { measuredBillsLine } from '../../../report/measured-savings.ts';
import { liveFolder } from '../../../sessions/places/data-folder.ts';
import { cacheMarksOption, keepWarmOption, settingOptions, shapeOption } from '../../options/setting-options.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { wrapped } from '../../terminal/columns.ts';
import { printable, terminal, UsageError } from '../../terminal/terminal.ts';
import { changeLine, marksLine, pausesLine } from './cache-lines.ts';
import { liveRun } from './live-options.ts';
import { givenSettings, type LiveSettings, liveSettings } from './live-settings.ts';
import { leftAloneLines, summaryLine } from './summary-line.ts';
import { isKeptWarm, keptWarmWords } from './warm-run.ts';

/** What will happen to the requests of the agent. */
const GREETINGS: Readonly<Record<LiveSettings['mode'], string>> = {
  on: 'leaves out of its requests what is outdated or shown twice, when that costs nothing or pays',
  shadow: 'changes nothing, and writes down what it would leave out (live-pruning is shadow)',
  off: 'leaves out nothing new (live-pruning is off)',
};

interface WrapOptions {
  readonly upstream?: string;
  readonly env?: string;
  readonly shadow?: boolean;
  readonly keepWarm?: boolean;
  readonly install?: string;
  readonly uninstall?: string;
  readonly shell?: string;
  readonly yes?: boolean;
  readonly startMark?: string;
}

function agentNamed(command: string, variable: string | undefined): WrappedAgent {
  if (variable !== undefined) return otherAgent(command, variable);
  const isNamed = (one: WrappedAgent): boolean => one.command === command || one.agent === command;
  const known = WRAPPED_AGENTS.find(isNamed);
  if (known) return known;
  const names = WRAPPED_AGENTS.map((one) => one.command).join(', ');
  throw new UsageError(
    `Expected one of ${names}, got "${command}". For another agent, name the environment variable with its base URL: --env OPENAI_BASE_URL.`,
  );
}

/** Changes the start file of a shell. */
async function installed({ install, uninstall, shell, yes }: WrapOptions): Promise<void> {
  const { installWrap, uninstallWrap } = await import('./install/wrap-install.ts');
  if (install !== undefined) await installWrap(agentNamed(install, undefined).command, { shell, yes });
  else await uninstallWrap(agentNamed(uninstall ?? '', undefined).command, { shell });
}

/**
 * True once for each folder, which is noted in the data folder. Where that cannot be noted it is false: what is said once would be
 * said each time.
 */
async function isFirstWrap(folder: string): Promise<boolean> {
  const noted = path.join(liveFolder(), 'wrapped');
  try {
    await makeOwnerFolder(noted);
    const name = createHash('sha256').update(folder).digest('hex');
    await writeFile(path.join(noted, name), '', { flag: 'wx', mode: OWNER_FILE_MODE });
    return true;
  } catch {
    return false;
  }
}

async function wrap(command: string | undefined, parameters: readonly string[], options: WrapOptions) {
  const { upstream, env, startMark } = options;
  if (options.install !== undefined || options.uninstall !== undefined) {
    if (command === undefined) return installed(options);
    throw new UsageError(`Expected nothing after the options of --install and --uninstall, got "${command}".`);
  }
  if (command === undefined)
    throw new UsageError("missing required argument 'agent'. For example: density wrap claude");
  const agent = agentNamed(command, env);
  const { notes } = terminal();
  const wrapLine = ['density wrap', ...(env === undefined ? [] : ['--env', env]), agent.command, '…'].join(' ');
  const folder = process.cwd();
  const startedAt = Date.now();
  const given = givenSettings(options);
  const layers = await layersInForce(given).catch(async (error: unknown) => {
    // A person waits for the agent. What the settings would have forbidden is not done.
    const words = `changes nothing new, because your settings cannot be read: ${printable(messageOf(error))}`;
    await notes.print(`density: ${words}\n`);
    return [given, { 'live-pruning': 'off' } as const];
  });
  const settings = liveSettings(layers);
  // The screen is the agent's.
  const troubles: string[] = [];
  const run = liveRun({
    agent: agent.agent,
    ...settings,
    layers,
    warm: { isOneAgent: true, layers, readLayers: () => layersInForce(given) },
    onTrouble: (what) => troubles.push(what),
  });
  const start = {
    parameters,
    environment: process.env,
    folder,
    home: homedir(),
    ...(upstream !== undefined && { upstream: baseUrl(upstream, '--upstream') }),
  };
  try {
    process.exitCode = await runWrapped(agent, start, {
      commandFile: fileURLToPath(packageFile('dist/density.js')),
      ...run.options,
      guard: run.guard,
      async onReady(proxy, { untried, notes: toKnow = [] }) {
        // Before the agent owns the screen.
        if (untried !== undefined) await notes.print(`density: ${untried}\n`);
        if (notes.isLive) {
          await notes.print(notes.colors.dim(`density: ${GREETINGS[settings.mode]}. See it live: ${proxy.pageUrl}\n`));
          const leaving = `what is sent in a shorter form stays so: resume a conversation through \`${wrapLine}\`, or with \`density optimize <id> --start\``;
          if (isKeptWarm(layers)) await notes.print(notes.colors.dim(`density: ${keptWarmWords(layers)}\n`));
          const toSay = [...(settings.mode === 'on' ? [leaving] : []), ...toKnow];
          if (toSay.length > 0 && (await isFirstWrap(folder)))
            for (const one of toSay) await notes.print(`density: ${one}\n`);
        }
        const announced = await run.announce(proxy);
        // The function that `--install` wrote starts the agent itself if this is still there.
        if (startMark !== undefined) rmSync(startMark);
        return { [RUN_VARIABLE]: announced };
      },
    });
  } finally {
    await run.close();
  }
  const numbers = run.ledger.numbers();
  const say = (text: string): Promise<void> =>
    notes.print(`${notes.stream.isTTY ? wrapped(`density: ${text}`, notes.columns) : `density: ${text}`}\n`);
  for (const trouble of troubles) await say(trouble.replace(/^density: /, ''));
  await say(summaryLine(numbers, settings.mode === 'shadow'));
  for (const line of [...pausesLine(numbers), ...changeLine(numbers), ...marksLine(numbers)])
    await say(printable(line));
  if (settings.mode !== 'shadow' && (numbers.changedResults > 0 || numbers.savedTokens > 0)) {
    const { leavingLine } = await import('./leaving-line.ts');
    await say(leavingLine({ wrapLine, folder, startedAt }));
  }
  const [newest] = numbers.conversations;
  for (const line of newest && settings.mode === 'on' ? leftAloneLines(newest) : [])
    await say(`left alone: ${printable(line)}`);
}

/** `density wrap`: an agent with its requests pruned on the way to its provider. */
export function defineWrap(command: Command): void {
  command.parent?.enablePositionalOptions();
  keepWarmOption(cacheMarksOption(shapeOption(settingOptions(command, ['live-pruning', 'cache-lifetime']))))
    .description(
      `Starts a coding agent in this terminal and prunes its requests on their way to its provider: stale and repeated results are shortened when that is free or saves more than it costs. If anything fails, the original request is sent. No file changes without --install. Write options of density before the name of the agent. ${measuredBillsLine()}`,
    )
    .argument(
      '[agent]',
      'claude, codex, gemini, opencode, pi, omp, kimi, qwen, kilo, copilot, cline, droid, grok, or any other command with --env',
    )
    .argument('[arguments...]', 'arguments of the agent')
    .addOption(
      new Option('--shadow', 'change nothing, only write down what would be left out').conflicts('livePruning'),
    )
    .option(
      '--upstream <url>',
      'the address to send requests to, as the agent would name its base URL: with /v1 for codex and opencode, without it for claude and pi (default: the address in the settings of the agent)',
    )
    .option('--env <name>', 'the environment variable with the base URL of another agent')
    .addOption(
      new Option(
        '--install <agent>',
        'start this agent through density in every new terminal; shows what is written, and asks first',
      ).conflicts(['uninstall', 'env', 'upstream', 'shadow', 'livePruning']),
    )
    .option('--uninstall <agent>', 'undo --install')
    .option('--shell <name>', 'with --install and --uninstall: bash, zsh or fish (default: yours)')
    .option('--yes', 'with --install: do not ask')
    .addOption(new Option('--start-mark <file>', 'a file to delete right before the agent starts').hideHelp())
    .passThroughOptions()
    .action(wrap);
}
