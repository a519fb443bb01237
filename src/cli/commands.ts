import type { Command } from 'commander';

/** Adds description, arguments, options and action to a command. `loadAll` loads every command of the program. */
type Define = (command: Command, loadAll: () => Promise<Command>) => void;

/** One command as `density --help` lists it. Its module loads only when it runs. */
interface CommandRow {
  readonly name: string;
  /** Text after the name in the list. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Define>;
}

/** Every command, in the order of help. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'wrap',
    usage: '[options] [agent] [arguments...]',
    summary: 'start a coding agent and prune its requests on their way',
    load: async () => (await import('./commands/proxy/wrap.ts')).defineWrap,
  },
  {
    name: 'stats',
    usage: '[options]',
    summary: 'show what wrap and proxy did',
    load: async () => (await import('./commands/proxy/stats.ts')).defineStats,
  },
  {
    name: 'page',
    usage: '[options]',
    summary: 'print the address of the page of a running wrap or proxy',
    load: async () => (await import('./commands/proxy/page.ts')).definePage,
  },
  {
    name: 'off',
    usage: '[options] [conversation]',
    summary: 'change nothing new in one conversation',
    load: async () => (await import('./commands/proxy/switch.ts')).defineOff,
  },
  {
    name: 'on',
    usage: '[options] [conversation]',
    summary: 'turn pruning on again in one conversation',
    load: async () => (await import('./commands/proxy/switch.ts')).defineOn,
  },
  {
    name: 'proxy',
    usage: '[options]',
    summary: 'prune requests of any agent whose base URL is a setting',
    load: async () => (await import('./commands/proxy/proxy.ts')).defineProxy,
  },
  {
    name: 'resume',
    usage: '[options] [session]',
    summary: 'continue a session, pruned if that pays',
    load: async () => (await import('./commands/resume/resume.ts')).defineResume,
  },
  {
    name: 'statusline',
    usage: '[options]',
    summary: 'print the status line of Claude Code',
    load: async () => (await import('./commands/statusline/statusline.ts')).defineStatusline,
  },
  {
    name: 'replay',
    usage: '[options] [session...]',
    summary: 'show what pruning would have saved in a session',
    load: async () => (await import('./commands/replay/replay.ts')).defineReplay,
  },
  {
    name: 'compare',
    usage: '[options] [session...]',
    summary: 'compare profiles: saved, needed later, costs',
    load: async () => (await import('./commands/compare/compare.ts')).defineCompare,
  },
  {
    name: 'tune',
    usage: '[options] [session...]',
    summary: 'choose a profile from your own sessions, and save it',
    load: async () => (await import('./commands/compare/tune.ts')).defineTune,
  },
  {
    name: 'bill',
    usage: '[options] [session...]',
    summary: 'show what sessions cost, from the usage recorded in them',
    load: async () => (await import('./commands/bill/bill.ts')).defineBill,
  },
  {
    name: 'compactions',
    usage: '[options] [session...]',
    summary: "show what agents' own compactions cost and lost",
    load: async () => (await import('./commands/compactions/compactions.ts')).defineCompactions,
  },
  {
    name: 'worker',
    usage: '[options]',
    summary: 'do the work of commands with --redis',
    load: async () => (await import('./commands/fleet/worker.ts')).defineWorker,
  },
  {
    name: 'token',
    usage: '',
    summary: "make, list and revoke tokens for a team's proxy",
    load: async () => (await import('./commands/fleet/token.ts')).defineToken,
  },
  {
    name: 'inspect',
    usage: '[options] [session]',
    summary: 'show what fills the context of a session',
    load: async () => (await import('./commands/sessions/inspect.ts')).defineInspect,
  },
  {
    name: 'lint',
    usage: '[options] [session]',
    summary: 'list what a provider would refuse, and why',
    load: async () => (await import('./commands/sessions/lint.ts')).defineLint,
  },
  {
    name: 'report',
    usage: '[options] [session]',
    summary: 'draw a session as one HTML page',
    load: async () => (await import('./commands/replay/report.ts')).defineReport,
  },
  {
    name: 'optimize',
    usage: '[options] [session]',
    summary: 'write a session without old, stale or repeated text',
    load: async () => (await import('./commands/prune/optimize.ts')).defineOptimize,
  },
  {
    name: 'compress',
    usage: '[options] [session]',
    summary: 'write a session as a strategy makes it at the threshold',
    load: async () => (await import('./commands/prune/optimize.ts')).defineCompress,
  },
  {
    name: 'compact',
    usage: '[options] [session]',
    summary: "start a session again from a model's summary",
    load: async () => (await import('./commands/prune/compact.ts')).defineCompact,
  },
  {
    name: 'restore',
    usage: '[options] [session]',
    summary: 'undo optimize or compress',
    load: async () => (await import('./commands/prune/restore.ts')).defineRestore,
  },
  {
    name: 'show',
    usage: '[options] [hash]',
    summary: 'show removed text by its hash',
    load: async () => (await import('./commands/sessions/show.ts')).defineShow,
  },
  {
    name: 'archive',
    usage: '[options]',
    summary: 'say how much removed text is kept, and delete it',
    load: async () => (await import('./commands/sessions/archive.ts')).defineArchive,
  },
  {
    name: 'mcp',
    usage: '',
    summary: 'give removed text back to an agent, over MCP',
    load: async () => (await import('./commands/mcp/mcp.ts')).defineMcp,
  },
  {
    name: 'convert',
    usage: '[options] [session]',
    summary: 'write a session in the format of another agent',
    load: async () => (await import('./commands/sessions/convert.ts')).defineConvert,
  },
  {
    name: 'shape',
    usage: '[options] <file>',
    summary: 'print the form that new output of a tool gets',
    load: async () => (await import('./commands/shape/shape.ts')).defineShape,
  },
  {
    name: 'count',
    usage: '[options] <file...>',
    summary: 'count the tokens of text files',
    load: async () => (await import('./commands/sessions/count.ts')).defineCount,
  },
  {
    name: 'sessions',
    usage: '[options]',
    summary: 'list the sessions of all agents on this computer',
    load: async () => (await import('./commands/sessions/sessions.ts')).defineSessions,
  },
  {
    name: 'settings',
    usage: '[options]',
    summary: 'show each setting, its value and where it comes from',
    load: async () => (await import('./commands/settings/settings.ts')).defineSettings,
  },
  {
    name: 'profile',
    usage: '',
    summary: 'save, use, list and delete settings under a name',
    load: async () => (await import('./commands/settings/profile.ts')).defineProfile,
  },
  {
    name: 'provider',
    usage: '[options]',
    summary: 'imitate a provider, without a model, to test agents',
    load: async () => (await import('./commands/provider/provider.ts')).defineProvider,
  },
  {
    name: 'doctor',
    usage: '[options]',
    summary: 'check that everything works on this computer',
    load: async () => (await import('./commands/settings/doctor.ts')).defineDoctor,
  },
  {
    name: 'completion',
    usage: '<shell>',
    summary: 'print a completion script for a shell',
    load: async () => (await import('./commands/settings/completion.ts')).defineCompletion,
  },
];
