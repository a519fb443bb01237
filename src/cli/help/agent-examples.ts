import type { CommandHelp } from './command-help.ts';

/** Help of the commands that work with a running agent or a model. */
export const AGENT_EXAMPLES: Readonly<Record<string, CommandHelp>> = {
  wrap: {
    first: ['--shadow', '--no-shape', '--upstream', '--env'],
    examples: [
      ['density wrap claude -c', 'start Claude Code; words after the name are passed to it'],
      ['density wrap --install claude', 'wrap it in every new terminal; asks first'],
      ['density wrap --env OPENAI_API_BASE aider', 'start another agent, whose base URL is in this variable'],
    ],
  },
  stats: {
    first: ['--open', '--why-not', '--days'],
    examples: [
      ['density stats', 'what wrap and proxy did: in all, and in 30 days'],
      ['density stats --open', 'watch live what is removed in this folder'],
      ['density stats --days 1 --json', 'today, for a program'],
      ['density stats --why-not', 'show text that was not pruned, and the setting to change that'],
    ],
  },
  off: {
    first: [],
    examples: [
      ['density off', 'list the conversations that were used last'],
      ['density off 3fa9c1', 'change nothing new in this conversation'],
    ],
  },
  on: {
    first: [],
    examples: [['density on 3fa9c1', 'turn pruning on again in this conversation']],
  },
  proxy: {
    first: ['--port', '--upstream', '--shadow', '--team', '--listen', '--allow-host'],
    examples: [
      ['density proxy', 'print the base URLs to set, and serve them'],
      ['density proxy --upstream http://127.0.0.1:9000/v1', 'another provider'],
      [
        'density proxy --team redis://127.0.0.1:6379 --listen 0.0.0.0:8377 --allow-host density.example.com',
        'a replica for a team',
      ],
    ],
  },
  statusline: {
    first: [],
    examples: [
      ['"statusLine": { "type": "command", "command": "density statusline" }', 'in settings.json of Claude Code'],
    ],
  },
  mcp: {
    first: [],
    examples: [
      ['claude mcp add density -- density mcp', 'for Claude Code; its plugin does it too'],
      ['density mcp', 'what an agent runs'],
    ],
  },
  'dev provider': {
    first: ['--port', '--script', '--json'],
    examples: [['density dev provider --port 8080', 'then let an agent talk with http://127.0.0.1:8080']],
  },
  doctor: {
    first: ['--routes', '--json'],
    examples: [
      ['density doctor', 'is everything here?'],
      ['density doctor --routes', 'does `density wrap` get the requests of the installed agents?'],
    ],
  },
};
