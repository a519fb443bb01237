import type { CommandHelp } from './command-help.ts';

/** Help of the commands that work with recorded sessions. */
export const SESSION_EXAMPLES: Readonly<Record<string, CommandHelp>> = {
  replay: {
    first: ['--all', '--open', '--output', '--profile', '--context-limit', '--turns', '--json'],
    examples: [
      ['density replay latest', 'the newest session of this folder, or else of this computer'],
      ['density replay 3fa9c1 --all', 'every strategy that asks no model'],
      ['density replay latest --open', 'the same as a page in the browser'],
    ],
  },
  compare: {
    first: ['--save', '--open', '--output', '--json'],
    examples: [
      ['density compare ~/.claude/projects', 'all sessions in a folder'],
      ['density compare latest --open', 'one session, as a page in the browser'],
      ['density compare --save mine', 'choose a profile; `density profile load mine` makes a project use it'],
    ],
  },
  bill: {
    first: ['--by', '--compactions', '--json'],
    examples: [
      ['density bill', 'all sessions of this computer'],
      ['density bill latest', 'the newest session'],
      ['density bill ~/.claude/projects --by day', 'all sessions in a folder, one row for each day'],
      ['density bill latest --compactions', "what the agent's own compactions cost and lost"],
    ],
  },
  team: {
    first: [],
    examples: [
      ['density team token add alice --redis redis://127.0.0.1:6379', "a token for the team's proxy"],
      ['density team worker --help', 'options and examples of one of them'],
    ],
  },
  'team worker': {
    first: ['--redis', '--threads'],
    examples: [
      ['density team worker --redis redis://127.0.0.1:6379', 'on each computer that sees the sessions'],
      ['density compare ~/.claude/projects --redis redis://127.0.0.1:6379', 'in another terminal: the command to run'],
    ],
  },
  'team token': {
    first: [],
    examples: [
      ['density team token add alice --redis redis://127.0.0.1:6379', 'a token for a user, shown once'],
      ['density team token revoke alice --redis redis://127.0.0.1:6379', 'revoke all her tokens'],
    ],
  },
  inspect: {
    first: ['--lint', '--profile', '--json'],
    examples: [
      ['density inspect', 'pick a session from a list'],
      ['density inspect request.json --lint', 'would a provider accept this body of a request?'],
      ['density inspect latest', 'the newest session of this folder, or else of this computer'],
    ],
  },
  optimize: {
    first: ['--install', '--start', '--output', '--dry-run', '--strategy', '--model', '--profile', '--force', '--json'],
    examples: [
      ['density optimize', 'the newest session: see what would be removed'],
      ['density optimize 3fa9c1 --install', 'a new session beside the old one'],
      ['density optimize 3fa9c1 --start', 'say what it costs to continue, and start its agent, pruned if that pays'],
      [
        'density optimize 3fa9c1 --model claude-haiku-4-5 -o compacted.jsonl',
        'a new session that begins with a summary, which this model writes',
      ],
    ],
  },
  restore: {
    first: ['--output', '--force', '--archive', '--delete', '--json'],
    examples: [
      ['density restore smaller.jsonl -o back.jsonl', 'bring everything back'],
      ['density restore -o back.jsonl', 'the newest session that was made smaller'],
      ['density restore --archive', 'how much removed text is kept, and where'],
      ['density restore --delete 3fa9c1', 'delete what was removed from one session; all: everything'],
    ],
  },
  show: {
    first: ['--json', '--no-redact'],
    examples: [
      ['density show', 'list what was removed while the archive was on'],
      ['density show 9f86d0', 'show the block whose hash begins with 9f86d0'],
    ],
  },
  convert: {
    first: ['--to', '--output', '--force', '--json'],
    examples: [['density convert latest --to claude-code -o session.jsonl', 'and list what is lost']],
  },
  dev: {
    first: [],
    examples: [
      ['density dev count README.md', 'the tokens of a file'],
      ['density dev provider --help', 'options and examples of one of them'],
    ],
  },
  'dev shape': {
    first: ['--command', '--tool', '--check', '--json'],
    examples: [
      ['npm test 2>&1 | density dev shape - --command "npm test"', 'print what an agent would send'],
      [
        'rg -n limit src | density dev shape - --command "rg -n limit src" --check',
        'what changes, and by which shaper',
      ],
      [
        'density dev shape found.txt --tool Grep --matches-by-file off',
        'output of a tool that is not a shell, with another setting',
      ],
    ],
  },
  'dev count': {
    first: ['--model', '--json'],
    examples: [['density dev count README.md src/index.ts --model gpt-5', 'the tokens of two files']],
  },
  sessions: {
    first: ['--limit', '--exact', '--project', '--agent', '--since', '--until', '--json'],
    examples: [
      ['density sessions', 'the newest 20 of all agents'],
      ['density sessions --limit 100', 'the newest 100'],
    ],
  },
  settings: {
    first: ['--json', '--profile', '--model'],
    examples: [['density settings --profile specification', 'show each value and its source']],
  },
  profile: {
    first: [],
    examples: [
      ['density profile list', 'all profiles, the built-in ones included'],
      ['density profile load specification', 'use this profile in this project'],
      ['density profile save mine --threshold 0.6', 'save your own settings'],
    ],
  },
  completion: {
    first: [],
    examples: [
      ['source <(density completion bash)', 'for this shell'],
      ['density completion fish | source', 'in fish'],
    ],
  },
};
