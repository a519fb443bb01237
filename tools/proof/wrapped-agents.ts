/**
 * Real agents through `density wrap`, against a provider that enforces the rules of its API and bills by them, on a
 * clock that jumps over the lifetime of the cache: each with its requests pruned, and untouched. Every request must be
 * accepted, the file edited, no thinking lost, and the bill not higher. Each request that is sent must be the agent's with
 * the texts of the frozen decisions in it, `density stats` must say what the provider counted and billed, and the home
 * folder must be left as by the agent alone but for ids and times, and for logs that have the agent's address. The agent
 * alone runs twice, and again while anything is different: files that differ between these runs say nothing, and are
 * printed.
 *
 * `npm run proof -- wrapped-agents <folder of the agents> [agent …]`. npm installs there what is absent, also Node 22 for the agents
 * that need it; what npm does not have is skipped, with a line. The agents run where nothing leads out of the machine.
 */

import path from 'node:path';
import { madeOnce } from '../../src/content/group-by.ts';
import { AGENTS, type Agent } from './agents.ts';
import { configOf } from './live/played-models.ts';
import { type Run, runAgent } from './wrapped-agents/agent-run.ts';
import type { ScriptedAgent } from './wrapped-agents/agent-script.ts';
import { homeChanges } from './wrapped-agents/home-folder.ts';
import { installedAgent } from './wrapped-agents/installed-agent.ts';
import { threeFiles } from './wrapped-agents/three-files.ts';
import { twoTurns } from './wrapped-agents/two-turns.ts';

const wordsOf = ({ statuses, promptTokens, dollars, shortened, savedTokens, droppedThinking, isEdited }: Run): string =>
  `${statuses.length} requests, ${promptTokens} tokens, $${dollars.toFixed(4)}, ${shortened} results shortened (${savedTokens} tokens left out), ${droppedThinking} thinking lost, ${isEdited ? 'edited' : 'NOT EDITED'}`;

const kindsOf = ({ kinds, abilities }: Run): string =>
  [
    Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`),
    abilities.has('agent') ? [] : 'it has no sub-agents',
    abilities.has('skill') ? [] : 'it has no tool for skills',
  ]
    .flat()
    .join(', ');

/** Claude Code also with a model whose thinking is bound, Codex also with one for which it is in code mode. */
const MODELS: Readonly<Record<string, readonly string[]>> = {
  claude: ['claude-sonnet-4-5', 'claude-opus-5-5'],
  codex: ['gpt-5.5', 'gpt-5.6-sol'],
};
/** The first one can do without old thinking, the second one binds it. */
const TWO_TURN_MODELS: Readonly<Record<string, readonly string[]>> = {
  claude: ['claude-opus-5', 'claude-opus-5-5'],
  opencode: ['anthropic/claude-opus-5'],
  codex: ['gpt-5.6-sol'],
};

function withModel(agent: Agent, model: string | undefined): Pick<ScriptedAgent, 'name' | 'agent'> {
  const { name, start, goOn } = agent;
  if (model === undefined) return { name, agent };
  const told = ['--model', model];
  return {
    name: `${name} (${model})`,
    agent: {
      ...agent,
      start: (port, prompt) => [...start(port, prompt), ...told],
      ...(goOn && { goOn: (port: number, prompt: string) => [...goOn(port, prompt), ...told] }),
    },
  };
}

/** With a model that binds thinking, which may be left out when the cache has expired. */
function droppingThinking(agent: Agent): ScriptedAgent {
  const scripted = withModel(agent, 'claude-opus-5-5');
  const config = configOf({ thinkingWhenCold: 'drop' });
  return { ...scripted, name: `${scripted.name}, thinking dropped`, script: twoTurns, config };
}

const VARIANTS: readonly ScriptedAgent[] = AGENTS.flatMap((agent) => {
  const models = MODELS[agent.program] ?? [undefined];
  const twoTurnModels = TWO_TURN_MODELS[agent.program] ?? [undefined];
  return [
    ...models.map((model) => ({ ...withModel(agent, model), script: threeFiles })),
    ...twoTurnModels.map((model) => ({ ...withModel(agent, model), script: twoTurns })),
    ...(agent.program === 'claude' ? [droppingThinking(agent)] : []),
  ];
});

/** What the page shows of a run: the same numbers as `density stats`. */
const shown = ({ stats }: Run, name: 'promptTokens' | 'savedTokens' | 'dollars' | 'netDollars'): number =>
  Number(stats?.[name]);

/**
 * Of what was billed. Gemini CLI shortens its own history in one of its calls: what the original would have lost of its
 * cache there is not known.
 */
const TOKENS_MARGIN = 0.06;
const DOLLARS_MARGIN = 0.05;

/** True within this part of the expected value, or within `least` of it. */
const isNear = (value: number, expected: number, part: number, least: number): boolean =>
  Math.abs(value - expected) <= Math.max(part * Math.abs(expected), least);

/** What `density stats` says otherwise than the provider counted and billed, in words. */
function wrongSent(run: Run): string[] {
  const { promptTokens, dollars, isPriced } = run;
  const isBilled = !isPriced || isNear(shown(run, 'dollars'), dollars, 0.001, 1e-6);
  const isRight = shown(run, 'promptTokens') === promptTokens && isBilled;
  return isRight
    ? []
    : [`stats: ${shown(run, 'promptTokens')} tokens, $${shown(run, 'dollars')}; billed ${promptTokens}, $${dollars}`];
}

interface Saved {
  readonly tokens: number;
  readonly dollars: number;
}

/** What is shown as saved, pruned or only decided, otherwise than two runs of the script were billed, in words. */
function wrongSaving(run: Run, { saved, noise }: { readonly saved: Saved; readonly noise: number }): string[] {
  const tokens = shown(run, 'savedTokens');
  const dollars = shown(run, 'netDollars');
  const isRight =
    isNear(tokens, saved.tokens, TOKENS_MARGIN + noise, 0) &&
    (!run.isPriced || isNear(dollars, saved.dollars, DOLLARS_MARGIN + noise, 0.001));
  return isRight
    ? []
    : [`stats: saved ${tokens} tokens, $${dollars}; billed ${saved.tokens} tokens, $${saved.dollars}`];
}

const savingOf = (run: Run): string => `${shown(run, 'savedTokens')} tokens, $${shown(run, 'netDollars').toFixed(4)}`;

export async function prove([folder = '', ...names]: readonly string[]): Promise<boolean> {
  let failures = 0;
  const installed = new Map<Agent['program'], ReturnType<typeof installedAgent>>();
  for (const scripted of VARIANTS) {
    const { name, agent, script } = scripted;
    if (names.length > 0 && !names.includes(agent.program)) continue;
    const found = await madeOnce(installed, agent.program, () => installedAgent(folder, agent));
    if (found === undefined) continue;
    const bin = found.binFolders.join(path.delimiter);
    const whole = await runAgent(scripted, bin, 'untouched');
    const pruned = await runAgent(scripted, bin, 'pruned');
    console.log(
      `${name} ${found.version}, ${script.name}\n  untouched: ${wordsOf(whole)}\n  pruned:    ${wordsOf(pruned)}\n  shortened: ${kindsOf(pruned)}`,
    );
    const saved = { tokens: whole.promptTokens - pruned.promptTokens, dollars: whole.dollars - pruned.dollars };
    console.log(
      `  left out: billed ${saved.tokens} tokens, $${saved.dollars.toFixed(4)}; shown ${savingOf(pruned)}, and by the untouched run ${savingOf(whole)}`,
    );
    const { left, noise, files } = await homeChanges({ whole: whole.home, pruned: pruned.home }, () =>
      runAgent(scripted, bin, 'alone').then(({ home }) => home),
    );
    console.log(`  home folder: ${files} files, ${left.length} differ when wrapped`);
    for (const one of noise) console.log(`    left out, it differs between runs of the agent alone: ${one}`);
    const isOwnLog = (file: string): boolean => agent.logs !== undefined && file.startsWith(agent.logs);
    for (const one of left.filter(isOwnLog))
      console.log(`    left out, it logs its variables and the address that it asks: ${one}`);
    const problems = [
      ...[...whole.refusals, ...pruned.refusals].map((message) => `refused: ${message}`),
      ...whole.wrongBytes,
      ...pruned.wrongBytes,
      ...wrongSent(whole),
      ...wrongSent(pruned),
      ...[whole, pruned].flatMap((run) => wrongSaving(run, { saved, noise: script.noise })),
      ...left.filter((file) => !isOwnLog(file)).map((file) => `home folder: ${file}`),
      ...[whole, pruned].flatMap(({ exitCode }) => (exitCode === 0 ? [] : [`it ended with ${exitCode}`])),
    ];
    for (const problem of problems) console.log(`  ${problem}`);
    const isRight = problems.length === 0 && pruned.droppedThinking === 0 && pruned.isEdited;
    if (!isRight || pruned.dollars > whole.dollars) failures++;
  }
  console.log(`${failures} failures`);
  return failures === 0;
}
