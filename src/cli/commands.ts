import type { Command } from 'commander';

/** Adds description, arguments, options and action to a command. `loadAll` loads every command of the program. */
type Define = (command: Command, loadAll: () => Promise<Command>) => void;

/** The groups of `density --help`, in its order: the doors of README, then what belongs to all of them. */
export const DOORS = {
  agent: 'I use a coding agent:',
  sessions: 'I want to look at my sessions:',
  program: 'I write a program, or work in a team:',
  computer: 'This computer:',
} as const;

/** One command; `density --help` lists it as one line. Its module loads only when it runs. */
interface CommandRow {
  readonly name: string;
  /** Absent: help and completion do not list it. Other programs run such a command. */
  readonly door?: keyof typeof DOORS;
  readonly summary: string;
  readonly load: () => Promise<Define>;
}

/** Every command, in the order of help. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'wrap',
    door: 'agent',
    summary: 'start a coding agent and prune its requests on their way',
    load: async () => (await import('./commands/proxy/wrap.ts')).defineWrap,
  },
  {
    name: 'stats',
    door: 'agent',
    summary: 'show what wrap and proxy did',
    load: async () => (await import('./commands/proxy/stats.ts')).defineStats,
  },
  {
    name: 'off',
    door: 'agent',
    summary: 'change nothing new in one conversation',
    load: async () => (await import('./commands/proxy/switch.ts')).defineOff,
  },
  {
    name: 'on',
    door: 'agent',
    summary: 'turn pruning on again in one conversation',
    load: async () => (await import('./commands/proxy/switch.ts')).defineOn,
  },
  {
    name: 'optimize',
    door: 'agent',
    summary: 'make a session smaller: without old, stale or repeated text',
    load: async () => (await import('./commands/prune/optimize.ts')).defineOptimize,
  },
  {
    name: 'restore',
    door: 'agent',
    summary: 'undo optimize, and the archive of removed text',
    load: async () => (await import('./commands/prune/restore.ts')).defineRestore,
  },
  {
    name: 'proxy',
    door: 'agent',
    summary: 'prune requests of any agent whose base URL is a setting',
    load: async () => (await import('./commands/proxy/proxy.ts')).defineProxy,
  },
  {
    name: 'mcp',
    door: 'agent',
    summary: 'give removed text back to an agent, over MCP',
    load: async () => (await import('./commands/mcp/mcp.ts')).defineMcp,
  },
  {
    name: 'sessions',
    door: 'sessions',
    summary: 'list the sessions of all agents on this computer',
    load: async () => (await import('./commands/sessions/sessions.ts')).defineSessions,
  },
  {
    name: 'inspect',
    door: 'sessions',
    summary: 'show what fills the context of a session',
    load: async () => (await import('./commands/sessions/inspect.ts')).defineInspect,
  },
  {
    name: 'replay',
    door: 'sessions',
    summary: 'show what pruning would have saved in a session',
    load: async () => (await import('./commands/replay/replay.ts')).defineReplay,
  },
  {
    name: 'compare',
    door: 'sessions',
    summary: 'compare profiles: saved, needed later, costs',
    load: async () => (await import('./commands/compare/compare.ts')).defineCompare,
  },
  {
    name: 'bill',
    door: 'sessions',
    summary: 'show what sessions cost, from the usage recorded in them',
    load: async () => (await import('./commands/bill/bill.ts')).defineBill,
  },
  {
    name: 'convert',
    door: 'sessions',
    summary: 'write a session in the format of another agent',
    load: async () => (await import('./commands/sessions/convert.ts')).defineConvert,
  },
  {
    name: 'team',
    door: 'program',
    summary: "workers, and tokens of the team's proxy: for a team",
    load: async () => (await import('./commands/fleet/team.ts')).defineTeam,
  },
  {
    name: 'dev',
    door: 'program',
    summary: 'imitate a provider, shape a text, count tokens: for tests',
    load: async () => (await import('./commands/dev/dev.ts')).defineDev,
  },
  {
    name: 'settings',
    door: 'computer',
    summary: 'show each setting, its value and where it comes from',
    load: async () => (await import('./commands/settings/settings.ts')).defineSettings,
  },
  {
    name: 'profile',
    door: 'computer',
    summary: 'save, use, list and delete settings under a name',
    load: async () => (await import('./commands/settings/profile.ts')).defineProfile,
  },
  {
    name: 'doctor',
    door: 'computer',
    summary: 'check that everything works on this computer',
    load: async () => (await import('./commands/settings/doctor.ts')).defineDoctor,
  },
  {
    name: 'completion',
    door: 'computer',
    summary: 'print a completion script for a shell',
    load: async () => (await import('./commands/settings/completion.ts')).defineCompletion,
  },
  {
    name: 'show',
    summary: 'show removed text by its hash',
    load: async () => (await import('./commands/sessions/show.ts')).defineShow,
  },
  {
    name: 'statusline',
    summary: 'print the status line of Claude Code',
    load: async () => (await import('./commands/statusline/statusline.ts')).defineStatusline,
  },
];
