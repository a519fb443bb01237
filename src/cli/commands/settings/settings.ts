import type { Command } from 'commander';
import { SETTINGS_REGISTRY } from '../../../settings/registry.ts';
import { type ExplainedSetting, explainSettings, type SettingOrigin } from '../../../settings/sources.ts';
import { modelOption } from '../../options/session-file.ts';
import { ALL_SETTINGS, settingOptions, settingsOf } from '../../options/setting-options.ts';
import { sourcesInForce } from '../../options/setting-sources.ts';
import { tableLines } from '../../terminal/columns.ts';
import { printJson, terminal } from '../../terminal/terminal.ts';

/** Where a value comes from, in a word or two. */
export const originText = (origin: SettingOrigin): string =>
  origin.kind === 'session' ? 'this command' : 'name' in origin ? `${origin.kind} ${origin.name}` : origin.kind;

/** The value of a setting, or its default in words. */
export const valueText = ({ key, value }: ExplainedSetting): string =>
  String(value ?? SETTINGS_REGISTRY.find((known) => known.key === key)?.defaultHelp ?? '');

async function settings({
  model,
  json,
  ...options
}: {
  readonly model?: string;
  readonly json?: boolean;
}): Promise<void> {
  const { sources, profile } = await sourcesInForce(settingsOf({ ...options }));
  const explained = explainSettings(sources, { model });
  const project = sources.find(({ origin }) => origin.kind === 'project')?.origin;
  const projectFile = project?.kind === 'project' ? project.file : undefined;
  const { out } = terminal();
  if (json)
    return printJson({
      profile: profile ?? null,
      projectFile: projectFile ?? null,
      settings: explained.map(({ key, value, origin }) => ({ key, value: value ?? null, origin })),
    });
  const { bold, dim } = out.colors;
  const table = tableLines(
    [{ title: 'setting' }, { title: 'value' }, { title: 'from', shrink: 'end' }],
    explained.map((setting) => [setting.key, valueText(setting), originText(setting.origin)]),
    { columns: out.columns, heading: bold },
  );
  const files = [
    ...(profile ? [`profile ${profile.name}: ${profile.file}`] : []),
    ...(projectFile !== undefined ? [`project: ${projectFile}`] : []),
  ];
  await out.print(`${[...table, ...(files.length > 0 ? ['', ...files.map(dim)] : [])].join('\n')}\n`);
}

/** `density settings`: shows each setting, its value and where it comes from. */
export function defineSettings(command: Command): void {
  command.description(
    'Shows the value of each setting and its source: an option, the profile in use, the file .density.json of the project, the profile `recommended`, or the default.',
  );
  settingOptions(command, ALL_SETTINGS);
  modelOption(command).option('--json', 'one JSON object instead of a table').action(settings);
}
