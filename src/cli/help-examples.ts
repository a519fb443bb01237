import { type Command, Help, type Option } from 'commander';

interface CommandHelp {
  /** The options that most users need, the most used first. */
  readonly first: readonly string[];
  /** Lines to type, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
}

/** What `--help` of each command shows beside its options. */
const COMMAND_HELP: Readonly<Record<string, CommandHelp>> = {
  wrap: {
    first: ['--shadow', '--upstream', '--env'],
    examples: [
      ['density wrap claude', 'start Claude Code; --shadow before the name changes nothing'],
      ['density wrap claude -c', 'what follows the name belongs to the agent'],
      ['density wrap --env OPENAI_API_BASE aider', 'another agent, and the variable with its base URL'],
    ],
  },
  stats: {
    first: [],
    examples: [
      ['density stats', 'what wrap and proxy did in 30 days'],
      ['density stats --days 1 --json', 'today, for a program'],
    ],
  },
  proxy: {
    first: ['--port', '--upstream', '--shadow'],
    examples: [
      ['density proxy', 'print the base URLs to set, and serve them'],
      ['density proxy --upstream http://127.0.0.1:9000/v1', 'another provider'],
    ],
  },
  chat: {
    first: ['--resume', '--provider', '--model', '--base-url', '--yes', '--from'],
    examples: [
      ['density chat', 'talk; needs a key such as ANTHROPIC_API_KEY'],
      [
        'density chat --provider openai-compatible --base-url http://localhost:11434/v1 --model qwen3-coder',
        'your own server',
      ],
      ['density chat --resume', 'continue the newest session of this folder'],
    ],
  },
  replay: {
    first: ['--all', '--profile', '--context-limit', '--turns', '--json'],
    examples: [
      ['density replay latest', 'the newest session of this folder, else of this computer'],
      ['density replay 3fa9c1 --all', 'every strategy that asks no model'],
      ['density replay latest --profile recommended', 'with careful settings'],
    ],
  },
  compare: {
    first: ['--output', '--open', '--policy', '--policies', '--results', '--json'],
    examples: [
      ['density compare ~/.claude/projects', 'all sessions in a folder'],
      ['density compare latest --open', 'one session, as a page in the browser'],
    ],
  },
  bill: {
    first: ['--by', '--json'],
    examples: [
      ['density bill latest', 'the newest session'],
      ['density bill ~/.claude/projects --by day', 'all sessions in a folder, one row for each day'],
    ],
  },
  inspect: {
    first: ['--json', '--context-limit', '--model'],
    examples: [
      ['density inspect', 'pick a session from a list'],
      ['density inspect latest', 'the newest session of this folder, else of this computer'],
    ],
  },
  lint: {
    first: ['--json'],
    examples: [
      ['density lint latest', 'would a provider accept it?'],
      ['density lint request.json --format anthropic-messages', 'the body of a request'],
    ],
  },
  report: {
    first: ['--open', '--output', '--force', '--profile', '--json'],
    examples: [
      ['density report latest --open', 'write report.html and open it'],
      ['density report 3fa9c1 -o day.html --profile recommended', 'another file, careful settings'],
    ],
  },
  optimize: {
    first: ['--install', '--output', '--profile', '--force', '--json'],
    examples: [
      ['density optimize', 'pick a session and see what would be removed'],
      ['density optimize 3fa9c1 --profile recommended --install', 'a new session beside the old one'],
      ['density optimize latest -o smaller.jsonl', 'into a file'],
    ],
  },
  compress: {
    first: ['--install', '--output', '--strategy', '--threshold', '--force', '--json'],
    examples: [
      ['density compress latest -o smaller.jsonl', 'as it would be at the threshold'],
      ['density compress latest --strategy top-down-truncation --install', 'the oldest entries dropped'],
    ],
  },
  compact: {
    first: ['--output', '--dry-run', '--force', '--json'],
    examples: [
      ['density compact latest --dry-run', 'what would be summarised; asks no model'],
      ['density compact 3fa9c1 -o compacted.jsonl', 'a new session that begins with a summary'],
    ],
  },
  restore: {
    first: ['--output', '--force', '--transcript', '--json'],
    examples: [
      ['density restore smaller.jsonl -o back.jsonl', 'everything back'],
      ['density restore -o back.jsonl', 'pick one of the sessions that were made smaller'],
    ],
  },
  show: {
    first: ['--json', '--no-redact'],
    examples: [
      ['density show', 'list what was removed while the archive was on'],
      ['density show 9f86d0', 'the block whose hash begins so'],
    ],
  },
  convert: {
    first: ['--to', '--output', '--force', '--json'],
    examples: [['density convert latest --to claude-code -o session.jsonl', 'and list what is lost']],
  },
  count: {
    first: ['--model', '--json'],
    examples: [['density count README.md src/index.ts --model gpt-5', 'the tokens of two files']],
  },
  sessions: {
    first: ['--limit', '--exact', '--json'],
    examples: [
      ['density sessions', 'the newest 20 of all agents'],
      ['density sessions --limit 100', 'more of them'],
    ],
  },
  settings: {
    first: ['--json', '--profile', '--model'],
    examples: [['density settings --profile recommended', 'each value, and where it comes from']],
  },
  profile: {
    first: [],
    examples: [
      ['density profile list', 'all profiles, the built-in ones included'],
      ['density profile load recommended', 'use it in this project'],
      ['density profile save mine --threshold 0.6', 'settings of your own'],
    ],
  },
  provider: {
    first: ['--port', '--script', '--json'],
    examples: [['density provider --port 8080', 'then let an agent talk with http://127.0.0.1:8080']],
  },
  doctor: { first: ['--json'], examples: [['density doctor', 'is everything here?']] },
  completion: {
    first: [],
    examples: [
      ['source <(density completion bash)', 'for this shell'],
      ['density completion fish | source', 'in fish'],
    ],
  },
};

const FIRST_GROUP = 'Most used:';

function exampleText(examples: CommandHelp['examples']): string {
  const lines = examples.map(([line, does]) => `  ${line}\n      ${does}`);
  return `\nExamples:\n${lines.join('\n')}\n`;
}

/** Makes the help of a command begin with its most used options and end with examples. */
export function addExamples(command: Command): void {
  const help = COMMAND_HELP[command.name()];
  if (help === undefined) return;
  const { first, examples } = help;
  for (const option of command.options) if (first.includes(option.long ?? '')) option.helpGroup(FIRST_GROUP);
  const rankOf = (item: Command | Option): number => {
    const rank = 'long' in item ? first.indexOf(item.long ?? '') : -1;
    return rank === -1 ? first.length : rank;
  };
  command
    .configureHelp({
      ...command.configureHelp(),
      groupItems<Item extends Command | Option>(_: Item[], visible: Item[], groupOf: (item: Item) => string) {
        const sorted = [...visible].sort((one, other) => rankOf(one) - rankOf(other));
        return new Help().groupItems(sorted, sorted, groupOf);
      },
    })
    .addHelpText('after', exampleText(examples));
}
