import type { Command } from 'commander';
import { fileStore } from '../../../live/file-store.ts';
import { isSwitchedOff, switchLine } from '../../../live/stored-lines.ts';
import { type LoggedConversation, loggedConversations } from '../../../proxy/ledger/call-history.ts';
import { counted } from '../../../report/figures.ts';
import { conversationsFolder, liveFolder } from '../../../sessions/places/data-folder.ts';
import { printNext } from '../../output/next-step.ts';
import { ageOf } from '../../picker/listed-words.ts';
import { rightAligned, tableLines } from '../../terminal/columns.ts';
import { printable, printJson, terminal, UsageError } from '../../terminal/terminal.ts';

const MAX_LISTED = 20;

interface SwitchOptions {
  readonly json?: boolean;
}

/** A conversation as it is printed. */
const shownOf = ({ key: _, name, ...rest }: LoggedConversation, isOff: boolean) => ({
  conversation: name,
  isOff,
  ...rest,
});

async function list(to: 'on' | 'off', all: readonly LoggedConversation[], { json }: SwitchOptions): Promise<void> {
  const store = fileStore(conversationsFolder());
  const shown = [];
  for (const one of all.slice(0, MAX_LISTED))
    shown.push(shownOf(one, isSwitchedOff((await store.load(one.key)).lines) === true));
  const { out, notes } = terminal();
  if (json) return printJson(...shown);
  const [first] = shown;
  if (first === undefined)
    return notes.print('No conversation went through yet. Start an agent with `density wrap claude`.\n');
  const now = Date.now();
  const rows = shown.map(({ conversation, isOff, agent, model, calls, lastAt }) => [
    conversation,
    isOff ? 'off' : 'on',
    printable(agent),
    printable(model ?? ''),
    ageOf(lastAt, now),
    String(calls),
  ]);
  const columns = [
    ...['conversation', 'is', 'agent'].map((title) => ({ title })),
    { title: 'model', shrink: 'end' as const },
    ...rightAligned('last call', 'calls'),
  ];
  await out.print(`${tableLines(columns, rows, { columns: out.columns, heading: out.colors.bold }).join('\n')}\n`);
  await printNext(`density ${to} ${first.conversation}`);
}

function conversationNamed(name: string, all: readonly LoggedConversation[]): LoggedConversation {
  const [found, ...others] = all.filter(({ key }) => key.startsWith(name.toLowerCase()));
  if (found !== undefined && others.length === 0) return found;
  const many = found === undefined ? 'none' : counted(others.length + 1, 'conversation');
  throw new UsageError(
    `Expected the name of one conversation, as \`density off\` lists them, got ${JSON.stringify(name)}, which names ${many}.`,
  );
}

async function turn(to: 'on' | 'off', named: string | undefined, options: SwitchOptions): Promise<void> {
  const all = await loggedConversations(liveFolder());
  if (named === undefined) return list(to, all, options);
  const found = conversationNamed(named, all);
  await fileStore(conversationsFolder()).append(found.key, [switchLine(to)]);
  const { name, agent, model } = found;
  const { out } = terminal();
  if (options.json) return printJson(shownOf(found, to === 'off'));
  const what =
    to === 'off'
      ? 'nothing new is changed from its next request on. What was sent in another form is sent so again.'
      : 'is pruned again from its next request on.';
  await out.print(`${name} (${printable([agent, model].filter((one) => one !== undefined).join(', '))}): ${what}\n`);
  if (to === 'off') await printNext(`density on ${name}`);
}

const CONVERSATION =
  'the start of the name that the page shows; without it, the conversations that were used last are listed';

const defineSwitch =
  (to: 'on' | 'off', description: string) =>
  (command: Command): void => {
    command
      .description(description)
      .argument('[conversation]', CONVERSATION)
      .option('--json', 'one JSON object per line')
      .action((named: string | undefined, options: SwitchOptions) => turn(to, named, options));
  };

/** `density off`: nothing new of a conversation is changed. */
export const defineOff = defineSwitch(
  'off',
  'Changes nothing new in one conversation, from its next request on, also while its agent runs under `density wrap` or `density proxy`, and after it is resumed. Text that was sent in another form is still sent in that form, because the provider has it in its cache. `density on` turns pruning on again.',
);

/** `density on`: a conversation is pruned again. */
export const defineOn = defineSwitch(
  'on',
  'Prunes a conversation again that `density off` turned off. Its results of the time between were sent whole, and count as sent.',
);
