import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../../src/content/counted.ts';
import { changedPlugin, inMod, without } from './changed-plugin.ts';
import { fiveVersions, hasAllVersions, largeReads } from './scripts.ts';
import { difference, type Seen, seenOf } from './seen.ts';
import { PLUGIN, Session, type SessionOptions } from './session.ts';

const PROMPTS = ['Read it.', '/compact', 'Go on.'];

/** What the mod starts does this, where it is asked for a compaction. */
const inDensity =
  (does: string) =>
  (folder: string): void => {
    const file = path.join(folder, 'density.mjs');
    const own = `import { readFileSync as read } from 'node:fs';\nif (process.argv[2] === 'hook') {\n  const text = read(0, 'utf8');\n  if (text.includes('SessionCompact')) {${does}}\n  process.exit(0);\n}\n`;
    writeFileSync(file, own + readFileSync(file, 'utf8'));
  };

const inHome =
  (name: string, text: string) =>
  (home: string): void => {
    const file = path.join(home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };

interface Fault {
  readonly what: string;
  /** In a copy of the plugin. */
  readonly plugin?: (folder: string) => void;
  readonly more?: Partial<SessionOptions>;
  /** Said at the end. */
  readonly said?: string;
  /** True: rules still compact. */
  readonly isPruned?: boolean;
}

const THROW = "throw new Error('fault');";

/** The place where the mod throws, or gets unexpected data. */
const FAULTS: readonly Fault[] = [
  { what: 'a module that is no JavaScript', plugin: inMod('export { register }', '}export { register }') },
  { what: 'a mod that is missing', plugin: (folder) => rmSync(path.join(folder, 'hooks/compaction.mjs')) },
  { what: 'a throw in the registering', plugin: inMod("on('session.start'", 'undefined.none;$&') },
  { what: 'an event that is missing', plugin: inMod("on('session.start'", "on('session.none'") },
  {
    what: 'a throw at the start of a session',
    plugin: inMod('const started =', `${THROW}$&`),
    isPruned: true,
  },
  { what: 'no command', plugin: inMod('await $.command.register({', `${THROW}$&`), isPruned: true },
  {
    what: 'a throw in the command',
    plugin: inMod('async function slashCommand($, state, args) {', `$&${THROW}`),
    said: '/density preview',
    isPruned: true,
  },
  { what: 'a throw before a turn', plugin: inMod('state.turns++;', `$&${THROW}`), isPruned: true },
  {
    what: 'a throw after a turn',
    plugin: inMod('const completed = await next(event);', `$&${THROW}`),
    isPruned: true,
  },
  {
    what: 'a throw in the compaction, unseen by the mod',
    plugin: inMod('let outcome;', `${THROW}$&`),
  },
  { what: 'a throw after the compaction', plugin: inMod('return outcome ?? next(event)', THROW) },
  { what: 'a throw before the rules', plugin: inMod('const calls = callsIn(messages);', THROW) },
  {
    what: 'a throw over the messages',
    plugin: inMod('const plain = ({ role, text, toolUses, toolResults }) => ({', '$& ...undefined.none,'),
  },
  { what: 'a throw after the rules', plugin: inMod('removed: 1 -', 'removed: undefined.none -') },
  {
    what: 'a throw in the new list',
    plugin: inMod('const withText = (one) => ({', `${THROW}$&`),
  },
  { what: 'a list that is none', plugin: inMod('const isKept =', "return 'none';$&") },
  {
    what: 'messages of a shape that is not known',
    plugin: inMod('messages: messages.map(plain)', 'messages: [{ role: 7 }]'),
  },
  { what: 'a session without id', plugin: inMod('await $.session.id()', 'undefined.id') },
  {
    what: 'a window that is not known',
    plugin: inMod('await $.session.usage()).context', 'await $.session.usage()).none'),
  },
  { what: 'an interface without processes', plugin: inMod('$.process.run', '$.none.run') },
  { what: 'no density in the plugin', plugin: inMod('density.mjs`', 'none.mjs`') },
  { what: 'no density on the PATH', more: { hasCommand: false } },
  { what: 'density is killed', plugin: inDensity("process.kill(process.pid, 'SIGKILL');") },
  { what: 'density ends with an error', plugin: inDensity('process.exit(1);') },
  {
    what: 'density does not end',
    plugin(folder) {
      inMod('RUN_MS = MINUTE_MS', 'RUN_MS = 1_000')(folder);
      inDensity('await new Promise((done) => setTimeout(done, 20_000));')(folder);
    },
  },
  { what: 'an answer that is no JSON', plugin: inDensity("console.log('no');") },
  {
    what: 'an answer that is too long',
    plugin: inDensity("console.log(JSON.stringify({ texts: {}, why: ['x'.repeat(5e6)] }));"),
  },
  { what: 'an answer without texts', plugin: inDensity('console.log(\'{"tokensBefore":10,"tokensAfter":1}\');') },
  { what: 'an archive that cannot be written', more: { variables: { XDG_DATA_HOME: '/dev/null' } } },
  {
    what: 'a data folder that is a file',
    more: { prepare: inHome('.local/share/high-density', 'a file') },
  },
  {
    what: 'settings that are broken',
    more: { prepare: inHome('work/.density.json', '{ "none": ') },
    isPruned: true,
  },
];

/** The file that says that a compaction has begun, in the work folder. */
const BEGUN = 'begun';
const LARGE_READS = 46;
const LARGE_MODEL = 'claude-opus-4-6[1m]';

type Check = (what: string, holds: boolean) => void;

async function run(
  program: string,
  options: Partial<SessionOptions>,
  play: (session: Session) => Promise<void>,
): Promise<void> {
  const session = new Session(program, { plugin: PLUGIN, steps: fiveVersions(), ...options });
  try {
    await play(session);
  } finally {
    session.close();
  }
}

async function seenWith(program: string, plugin: string): Promise<Seen> {
  let seen: Seen = { request: '', transcript: '' };
  await run(program, { plugin }, async (session) => {
    await session.say(PROMPTS);
    seen = seenOf(session);
  });
  return seen;
}

/** Why a run is another than an expected one. */
function unlike(session: Session, { request, transcript }: Seen): string {
  const seen = seenOf(session);
  const found = difference(seen.request, request) ?? difference(seen.transcript, transcript);
  return found === undefined ? '' : `: ${found}`;
}

/**
 * Each fault in the mod: the agent goes on, and what it keeps and sends is what it is without the mod, or with a mod that works where
 * the fault does not concern the compaction.
 */
export async function proveFaults(program: string, check: Check): Promise<void> {
  const hooksOnly = changedPlugin(without('modules'));
  const whole = changedPlugin();
  const alone = await seenWith(program, hooksOnly);
  const pruned = await seenWith(program, whole);
  for (const folder of [hooksOnly, whole]) rmSync(folder, { recursive: true });
  for (const { what, plugin: change, more, said, isPruned = false } of FAULTS) {
    const plugin = changedPlugin(change);
    await run(program, { plugin, ...more }, async (session) => {
      await session.say(PROMPTS);
      const other = unlike(session, isPruned ? pruned : alone);
      const goesOn =
        said === undefined || (await session.say([said, 'Go on.'], { more: ['--continue'] })).at(-1) === 'Done.';
      const isRight = other === '' && goesOn && session.isAccepted && session.summaries > 0 !== isPruned;
      check(`fault: ${what}: ${isPruned ? 'rules compact as ever' : 'as without the mod'}${other}`, isRight);
    });
    rmSync(plugin, { recursive: true });
  }
  await proveKilled(program, check);
  await proveBrokenNotes(program, check);
  await proveLarge(program, check);
}

async function proveKilled(program: string, check: Check): Promise<void> {
  const plugin = changedPlugin(
    inDensity(
      `const { writeFileSync } = await import('node:fs'); writeFileSync('${BEGUN}', ''); await new Promise((done) => setTimeout(done, 20_000));`,
    ),
  );
  await run(program, { plugin }, async (session) => {
    await session.say(['Read it.']);
    const before = session.transcript;
    const killedAt = path.join(session.home, 'work', BEGUN);
    await session.say(['/compact'], { more: ['--continue'], killedAt });
    const isSame = session.transcript.startsWith(before);
    await session.say(['Go on.'], { more: ['--continue'] });
    const isWhole = isSame && hasAllVersions(session.prompt) && session.transcript.startsWith(before);
    check(
      'fault: the agent is killed in a compaction: its transcript is as it was, and goes on',
      isWhole && session.isAccepted,
    );
  });
  rmSync(plugin, { recursive: true });
}

async function proveBrokenNotes(program: string, check: Check): Promise<void> {
  await run(program, {}, async (session) => {
    await session.say(PROMPTS);
    const data = path.join(session.home, '.local/share');
    const notes = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.removed'));
    for (const name of notes) writeFileSync(path.join(data, name), 'no');
    const answers = await session.say(['/density undo', '/compact', 'Go on.'], { more: ['--continue'] });
    const isRight = notes.length > 0 && answers.at(-1) === 'Done.' && session.summaries === 0 && session.isAccepted;
    check('fault: notes of what was removed that are broken: nothing comes back, and the agent goes on', isRight);
  });
}

async function proveLarge(program: string, check: Check): Promise<void> {
  const options = { steps: largeReads(LARGE_READS), model: LARGE_MODEL, variables: { DISABLE_AUTO_COMPACT: '1' } };
  await run(program, options, async (session) => {
    const took: number[] = [];
    await session.say(PROMPTS, { took });
    const isRight = session.summaries === 0 && session.isAccepted;
    check(
      `fault: a transcript of ${counted(session.longest, 'token')}: rules compact it, in ${((took[1] ?? 0) / 1000).toFixed(1)} s`,
      isRight,
    );
  });
}
