import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { availableParallelism, homedir } from 'node:os';
import type { Command } from 'commander';
import { makeOwnerFolder } from '../../../disk/owner-only.ts';
import { reasonOf } from '../../../disk/reason-of.ts';
import { missingPriceLine } from '../../../economics/models/missing-price.ts';
import { messageOf } from '../../../errors.ts';
import type { WrappedAgent } from '../../../proxy/agents/agent.ts';
import { counted, duration, grouped } from '../../../report/figures.ts';
import { dataFolder } from '../../../sessions/places/data-folder.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import { foundSessions, sessionPlaces, sessionsIn } from '../../../sessions/places/session-places.ts';
import { createTokenizer } from '../../../tokens/index.ts';
import { familyOfModel } from '../../../tokens/models.ts';
import { applySettingsOfModels } from '../../options/setting-sources.ts';
import { commandName, printNext } from '../../output/next-step.ts';
import { packageVersion } from '../../output/package-version.ts';
import { hanging } from '../../terminal/columns.ts';
import { printable, printJson, terminal } from '../../terminal/terminal.ts';
import { guardWords } from '../proxy/guard-words.ts';
import { isResumable } from '../prune/start/resumable.ts';

/** The result of one check. The command fails if `isFine` is false. */
interface Finding {
  readonly check: string;
  readonly isFine: boolean;
  /** True for what works and still asks for something. */
  readonly isNotable?: boolean;
  readonly says: string;
}

const MIN_NODE = [20, 20] as const;
const KNOWN_MODEL = 'gpt-5';
/** o200k_base makes 14 tokens of it. Source: `tiktoken`. */
const KNOWN_TEXT = 'The harbour office opens at 7 and closes when the tide does.';
const KNOWN_TOKENS = 14;

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isFine = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  const cores = counted(availableParallelism(), 'core');
  const needed = isFine ? '' : `; at least ${MIN_NODE.join('.')} is needed`;
  return {
    check: 'Node',
    isFine,
    says: `${process.version} on ${process.platform} ${process.arch}, ${cores}${needed}`,
  };
}

/** What `look` finds; what it throws is what is wrong. */
const finding = (check: string, look: () => Promise<Omit<Finding, 'check'>>): Promise<Finding> =>
  look().then(
    (found) => ({ check, ...found }),
    (error: unknown) => ({ check, isFine: false, says: reasonOf(error) }),
  );

async function lookAtVocabulary(): Promise<Omit<Finding, 'check'>> {
  const startedAt = performance.now();
  const tokens = createTokenizer(familyOfModel(KNOWN_MODEL)).count(KNOWN_TEXT);
  const isFine = tokens === KNOWN_TOKENS;
  const took = duration(performance.now() - startedAt);
  const says = isFine
    ? `loads in ${took} and counts correctly`
    : `counts ${counted(tokens, 'token')} instead of ${grouped(KNOWN_TOKENS)}: install the package again`;
  return { isFine, says };
}

async function lookAtThreads(): Promise<Omit<Finding, 'check'>> {
  const { createHistoryService, processPool } = await import('../../../offload/create-history-service.ts');
  const startedAt = performance.now();
  const pool = processPool({ minBytes: 0 });
  const history = createHistoryService({ engine: 'offloaded', pool });
  try {
    const tokens = await history.estimateTokensForText(KNOWN_TEXT, KNOWN_MODEL);
    const took = duration(performance.now() - startedAt);
    const { threads, countedBytes } = pool.stats();
    // If no thread starts, the main thread counts the text.
    const isFine = countedBytes > 0 && tokens === KNOWN_TOKENS;
    const says = isFine
      ? `${counted(threads, 'thread')}, first answer after ${took}`
      : 'do not start; the main thread does their work';
    return { isFine, says };
  } finally {
    history.dispose();
    await pool.close();
  }
}

async function checkDataFolder(): Promise<Finding> {
  const folder = dataFolder();
  try {
    await makeOwnerFolder(folder);
    await access(folder, constants.W_OK);
    return { check: 'data folder', isFine: true, says: pathFromHome(folder) };
  } catch (error) {
    return { check: 'data folder', isFine: false, says: `${pathFromHome(folder)}: ${reasonOf(error)}` };
  }
}

/** One finding per agent: the folders that contain sessions, else the first folder that was searched. */
function checkSessions(): Finding[] {
  const all = sessionPlaces();
  return [...new Set(all.map(({ agent }) => agent))].map((agent) => {
    const places = all.filter((place) => place.agent === agent);
    const inPlaces = places.map((place) => ({ folder: place.folder, sessions: sessionsIn(place) }));
    const problems = inPlaces.flatMap(({ sessions }) => sessions.flatMap(({ problem }) => problem ?? []));
    const found = inPlaces.map(({ folder, sessions }) => ({
      folder,
      count: sessions.filter(({ problem }) => problem === undefined).length,
    }));
    const filled = found.filter(({ count }) => count > 0);
    const total = filled.reduce((sum, { count }) => sum + count, 0);
    const folders = (filled.length > 0 ? filled : found.slice(0, 1))
      .map(({ folder }) => pathFromHome(folder))
      .join(', ');
    return {
      check: agent,
      isFine: problems.length === 0,
      says: [`${total === 0 ? 'no sessions' : counted(total, 'session')} in ${folders}`, ...problems].join('; '),
    };
  });
}

/** More would take longer than a person waits. */
const PRICED_SESSIONS = 30;

/** The models of the newest sessions that have no price. */
async function checkPrices(): Promise<Finding> {
  const { unpricedModels } = await import('../../../lab/files/unpriced-models.ts');
  const newest = foundSessions()
    .sort((one, other) => other.changedAt - one.changedAt)
    .slice(0, PRICED_SESSIONS);
  const models = unpricedModels(newest.map(({ path }) => path));
  const missing = missingPriceLine([...models.keys()]);
  const says = missing ?? `all models of the newest ${counted(newest.length, 'session')} have one`;
  return { check: 'prices', isFine: true, isNotable: missing !== undefined, says };
}

/** One finding per session of this folder that its agent alone would go on with in other text than was sent. */
async function checkForms(): Promise<Finding[]> {
  const { shorterSessions } = await import('../../../sessions/prompts/shorter-sessions.ts');
  return shorterSessions(process.cwd()).map((session) => {
    const resume = isResumable(session) ? `, or with \`density optimize ${commandName(session.path)} --start\`` : '';
    const says = `was sent in shorter forms; resume it through \`density wrap\`${resume}`;
    return { check: `${session.agent} here`, isFine: true, isNotable: true, says };
  });
}

/** The installed agents that `density wrap` knows. */
async function installedAgents(): Promise<readonly WrappedAgent[]> {
  const { WRAPPED_AGENTS } = await import('../../../proxy/agents/index.ts');
  const { isOnPath } = await import('../../../proxy/wrap/installed-command.ts');
  return WRAPPED_AGENTS.filter(({ command }) => isOnPath(command, process.env));
}

/** For each installed agent that `density wrap` knows, whether it is asked before a tool writes a marker. */
async function checkGuards(): Promise<Finding[]> {
  const start = { parameters: [], environment: process.env, folder: process.cwd(), home: homedir() };
  return Promise.all(
    (await installedAgents()).map(async (agent) => {
      const check = `guard of ${agent.command}`;
      try {
        const { unguarded } = await agent.route(start);
        return { check, isFine: true, says: guardWords(unguarded) };
      } catch (error) {
        return { check, isFine: true, says: printable(`not known: ${messageOf(error)}`) };
      }
    }),
  );
}

/** One finding per installed agent that `density wrap` knows. */
async function checkRoutes(): Promise<Finding[]> {
  const { provenRoute } = await import('../../../proxy/wrap/proven-route.ts');
  const findings: Finding[] = [];
  for (const agent of await installedAgents()) {
    const { isDiverted, why, tookMs } = await provenRoute(agent, { environment: process.env });
    const says = isDiverted
      ? `goes where \`density wrap ${agent.command}\` points it (${duration(tookMs)})`
      : printable(`does not go where \`density wrap ${agent.command}\` points it: ${why}`);
    findings.push({ check: `route of ${agent.command}`, isFine: isDiverted, says });
  }
  const none = { check: 'routes', isFine: true, says: 'no agent that `density wrap` knows is on the PATH' };
  return findings.length === 0 ? [none] : findings;
}

async function doctor({ json, routes = false }: { json?: boolean; routes?: boolean }): Promise<void> {
  await applySettingsOfModels();
  const findings = [
    checkNode(),
    await finding('vocabulary', lookAtVocabulary),
    await finding('threads', lookAtThreads),
    await checkDataFolder(),
    ...checkSessions(),
    await checkPrices(),
    ...(await checkForms()),
    ...(await checkGuards()),
    ...(routes ? await checkRoutes() : []),
  ];
  if (findings.some(({ isFine }) => !isFine)) process.exitCode = 1;
  const { out } = terminal();
  if (json) return printJson({ version: packageVersion(), findings });
  const { green, red, yellow, bold } = out.colors;
  const mark = ({ isFine, isNotable }: Finding): string => (isFine ? (isNotable ? yellow('!') : green('✓')) : red('✗'));
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map((finding) =>
    hanging(`${mark(finding)} ${finding.check.padEnd(width)}  `, finding.says, out.columns),
  );
  await out.print(`${bold(`density ${packageVersion()}`)}\n${lines.join('\n')}\n`);
  if (process.exitCode === undefined) await printNext('density sessions');
}

/** `density doctor`: checks that everything works on this computer. */
export function defineDoctor(command: Command): void {
  command
    .description('Checks Node, the vocabulary, threads and the data folder, and lists where sessions were found.')
    .option(
      '--routes',
      'start each installed agent once, offline, and check that `density wrap` gets its requests; takes up to half a minute for each',
    )
    .option('--json', 'one JSON object')
    .action(doctor);
}
