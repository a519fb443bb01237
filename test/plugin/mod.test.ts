import { describe, expect, test, vi } from 'vitest';
import { register } from '../../src/mod/register.ts';

/** The events of Claude Code as the mod sees them, with what it asks of the agent. */
interface Engine {
  readonly raise: (event: string, e?: object, matched?: object) => Promise<unknown>;
  readonly asked: string[];
  /** Waits that were begun: each may be let go. */
  readonly waits: { readonly ms: number; readonly go: () => void; isCancelled: boolean }[];
  readonly stored: Map<string, unknown>;
}

type Hook = ($: object, e: object, next: (e: object) => Promise<unknown>) => Promise<unknown>;

const MESSAGES = [
  { role: 'user', text: 'Read it.', toolUses: [] },
  { role: 'assistant', text: '', toolUses: [{ tool_use_id: 't1', tool: 'Read', input: {}, text: 'long' }] },
  { role: 'user', text: '', toolUses: [], toolResults: [{ tool_use_id: 't1', text: 'long', isError: false }] },
  { role: 'assistant', text: 'Done.', toolUses: [] },
];

/** Elements that are drawn as their text. */
const TABLE = {
  Box: ({ children }: { readonly children: readonly string[] }) => children.join('\n'),
  Text: ({ children }: { readonly children: string }) => children,
};

async function engine({
  surfaces = ['terminal'],
  tokensAfter = 10_000,
  stored = new Map<string, unknown>(),
} = {}): Promise<Engine> {
  const hooks: { event: string; matched: object; hook: Hook }[] = [];
  const asked: string[] = [];
  const waits: Engine['waits'] = [];
  const panes: { id: string }[] = [];
  const answer = { texts: { t1: 'short' }, tokensBefore: 100_000, tokensAfter, why: ['90 tokens: Read a.ts: stale'] };
  const $ = {
    plugin: { root: '/plugin' },
    session: {
      id: async () => 'id',
      cwd: async () => '/work',
      model: async () => 'model',
      surfaces: async () => surfaces,
      messages: async () => MESSAGES,
      usage: async () => ({
        context: { window: 1_000_000, tokens: 100_000 },
        rateLimits: [{ kind: 'five_hour', percentUsed: 23.4 }],
      }),
      compact: async () => void asked.push('session.compact'),
    },
    command: {
      register: async () => {},
      run: async ({ args }: { args: string }) => void asked.push(`/compact ${args}`),
    },
    process: { run: async () => ({ exitCode: 0, stdout: JSON.stringify(answer) }) },
    store: {
      get: async (key: string) => stored.get(key),
      set: async (key: string, value: unknown) => void stored.set(key, value),
    },
    clock: {
      after(ms: number, go: () => void) {
        const wait = { ms, go, isCancelled: false, cancel: () => Object.assign(wait, { isCancelled: true }) };
        waits.push(wait);
        return wait;
      },
    },
    ui: {
      log: () => {},
      invalidate: () => void asked.push('redraw'),
      panes: async () => panes,
      open: async (pane: { id: string }) => void panes.push(pane),
      close: async () => void panes.pop(),
      resolve: () => TABLE,
    },
  };
  register((...args: unknown[]) => {
    const [event, matched, hook] = args.length === 2 ? [args[0], {}, args[1]] : args;
    hooks.push({ event, matched, hook } as (typeof hooks)[number]);
  });
  const raise = async (event: string, e: object = {}, matched: object = {}): Promise<unknown> => {
    const found = hooks.find((one) => one.event === event && JSON.stringify(one.matched) === JSON.stringify(matched));
    return found!.hook($, e, async () => 'the agent');
  };
  await raise('session.start');
  return { raise, asked, waits, stored };
}

const say = async ({ raise }: Engine, args: string) =>
  ((await raise('command.run', { command: 'density', args })) as { text: string }).text;
const turn = async ({ raise }: Engine, usage: object = {}) => {
  await raise('turn.start');
  await raise('turn.complete', { usage });
  await vi.waitFor(() => {});
};
const band = async ({ raise }: Engine, hasSurvey = false) =>
  raise('ui.render', { props: { hasSurvey } }, { component: 'AbovePrompt' });
const pane = async ({ raise }: Engine, requestId: string) =>
  raise('ui.render', { requestId, props: {} }, { component: 'Pane' });
const FIVE_MINUTES = { ephemeral_5m_input_tokens: 10 };
const COMPACT = { trigger: 'manual', messages: MESSAGES };

describe('what the mod draws', () => {
  test('nothing, unless it is turned on', async () => {
    const agent = await engine();
    await turn(agent);
    expect(await band(agent)).toBe('the agent');
    expect(await pane(agent, 'another')).toBe('the agent');
  });

  test('full: the window, what is stale, what rules removed, and the plan', async () => {
    const agent = await engine();
    await say(agent, 'show full');
    expect(await band(agent)).toBe('density · 10% of 1M · plan 23% of 5 hours · /density list');
    await turn(agent);
    await expect.poll(() => band(agent)).toContain('90% stale');
    await agent.raise('session.compact', COMPACT);
    expect(await band(agent)).toContain('rules removed 90k');
    expect(await band(agent, true)).toBe('the agent');
  });

  test('quiet: nothing while little is stale', async () => {
    const little = await engine({ tokensAfter: 90_000 });
    await say(little, 'show quiet');
    await say(little, 'list');
    expect(await band(little)).toBe('the agent');
  });

  test('the list says what rules would remove, and is closed by the same words', async () => {
    const agent = await engine();
    await say(agent, 'list');
    expect(await pane(agent, 'density')).toBe(
      'Rules would remove 90% now:\n90 tokens: Read a.ts: stale\nRules removed nothing in this run.',
    );
    expect(await say(agent, 'list')).toBe('The list is closed.');
  });

  test('what was chosen is kept for later sessions', async () => {
    const { stored } = await engine().then(async (agent) => {
      await say(agent, 'show full');
      return agent;
    });
    expect(await band(await engine({ stored }))).toContain('density');
  });
});

describe('a compaction while nothing runs', () => {
  test('waits for the end of the cache, and is off by default and in print mode', async () => {
    const agent = await engine();
    await turn(agent);
    expect(agent.waits).toEqual([]);
    await say(agent, 'idle on');
    await turn(agent, FIVE_MINUTES);
    await turn(agent, { ephemeral_1h_input_tokens: 10 });
    expect(agent.waits.map(({ ms }) => ms / 60_000)).toEqual([5, 53]);
    expect(agent.waits.map(({ isCancelled }) => isCancelled)).toEqual([true, false]);
    const printed = await engine({ surfaces: [], stored: agent.stored });
    await turn(printed);
    expect(printed.waits).toEqual([]);
  });

  test('runs the command of the agent, where rules are enough', async () => {
    for (const [tokensAfter, started] of [
      [10_000, ['/compact by rules, while nothing runs']],
      [90_000, []],
    ] as const) {
      const agent = await engine({ tokensAfter });
      await say(agent, 'idle on');
      await turn(agent, FIVE_MINUTES);
      agent.asked.length = 0;
      agent.waits[0]!.go();
      await expect.poll(() => agent.asked).toContain('redraw');
      expect(agent.asked.filter((one) => one !== 'redraw')).toEqual(started);
    }
  });

  test('never asks a model: neither where rules fail nor where they were turned off', async () => {
    const agent = await engine({ tokensAfter: 90_000 });
    const own = { ...COMPACT, instructions: 'by rules, while nothing runs' };
    expect(await agent.raise('session.compact', own)).toHaveProperty('skip');
    await say(agent, 'off');
    expect(await agent.raise('session.compact', own)).toHaveProperty('skip');
    expect(await agent.raise('session.compact', COMPACT)).toBe('the agent');
  });
});
