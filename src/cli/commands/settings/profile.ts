import path from 'node:path';
import type { Command } from 'commander';
import { counted } from '../../../report/figures.ts';
import { deleteProfile, ProfileStore } from '../../../settings/profile-store.ts';
import { findProjectFile, PROJECT_FILE_NAME } from '../../../settings/project/find-project-file.ts';
import { setProjectProfile } from '../../../settings/project/set-project-profile.ts';
import { SETTINGS_REGISTRY } from '../../../settings/registry.ts';
import { settingOptions, settingsOf } from '../../options/setting-options.ts';
import { printNext } from '../../output/next-step.ts';
import { printable, printJson, terminal, UsageError } from '../../terminal/terminal.ts';

const NAME_HELP = 'the name of the profile';
const AS_JSON = 'one JSON object';
const PERSISTED = SETTINGS_REGISTRY.filter(({ persistToProfile }) => persistToProfile).map(({ key }) => key);

const kept = (keys: readonly string[]): string =>
  keys.length > 0 ? `Kept these unknown settings: ${keys.map(printable).join(', ')}\n` : '';

async function save(name: string, { force, json, ...options }: { force?: boolean; json?: boolean }): Promise<void> {
  const settings = settingsOf({ ...options });
  if (Object.keys(settings).length === 0) {
    throw new UsageError('Expected at least one setting to save, for example --threshold 0.6, got none.');
  }
  const { file, unknownKeys } = await new ProfileStore().save(name, settings, { mayReplace: force ?? false });
  const { out } = terminal();
  if (json) return printJson({ name, file, settings, unknownKeys });
  const many = counted(Object.keys(settings).length, 'setting');
  await out.print(`Saved ${many} as profile ${out.colors.bold(name)}: ${file}\n${kept(unknownKeys)}`);
  await printNext(`density profile load ${name}`);
}

/** Checks the profile, then makes the project in the working directory use it. */
async function load(name: string, { json }: { json?: boolean }): Promise<void> {
  const profile = await new ProfileStore().load(name);
  const file = findProjectFile(process.cwd()) ?? path.resolve(PROJECT_FILE_NAME);
  await setProjectProfile(file, name);
  const { out } = terminal();
  if (json) return printJson({ name, projectFile: file, unknownKeys: profile.unknownKeys });
  await out.print(`${file} now uses profile ${out.colors.bold(profile.name)}.\n${kept(profile.unknownKeys)}`);
  await printNext('density settings');
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const profiles = await new ProfileStore().list();
  const { out } = terminal();
  const { bold, dim, red } = out.colors;
  if (json)
    return printJson(...profiles.map((one) => ('problem' in one ? { ...one, problem: one.problem.message } : one)));
  for (const one of profiles) {
    if ('problem' in one) await out.print(`${bold(one.name)}  ${red(printable(one.problem.message))}\n`);
    else {
      const settings = Object.entries(one.settings).map(([key, value]) => `  ${key} ${String(value)}\n`);
      const unknown = one.unknownKeys.map((key) => dim(`  ${printable(key)} is an unknown setting\n`));
      await out.print(`${bold(one.name)}\n${settings.join('')}${unknown.join('')}`);
    }
  }
}

async function remove(name: string, { json }: { json?: boolean }): Promise<void> {
  await deleteProfile(name, { folder: process.cwd(), profiles: new ProfileStore() });
  await terminal().out.print(json ? `${JSON.stringify({ name })}\n` : `Deleted profile ${name}.\n`);
}

/** `density profile`: saves, uses, lists and deletes settings under a name. */
export function defineProfile(command: Command): void {
  command.description(
    'Saves settings under a name: a profile. `--profile <name>` uses a profile for one command, and `density profile load <name>` uses it in a project.',
  );
  const saving = command.command('save').description('saves the settings given as options');
  settingOptions(saving.argument('<name>', NAME_HELP), PERSISTED)
    .option('--force', 'replace the profile if there is one')
    .option('--json', AS_JSON)
    .action(save);
  command
    .command('load')
    .description(`makes this project use a profile: sets compression.profile in its ${PROJECT_FILE_NAME}`)
    .argument('<name>', NAME_HELP)
    .option('--json', AS_JSON)
    .action(load);
  command
    .command('list')
    .description('lists all profiles, the built-in ones included, and their settings')
    .option('--json', 'one JSON object per line')
    .action(list);
  command
    .command('delete')
    .description('deletes a profile')
    .argument('<name>', NAME_HELP)
    .option('--json', AS_JSON)
    .action(remove);
}
