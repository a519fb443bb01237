import { Argument, type Command } from 'commander';
import { settingRow } from '../../../settings/parse.ts';
import { SETTINGS_REGISTRY } from '../../../settings/registry.ts';
import { type ExplainedSetting, explainSettings, type SettingOrigin } from '../../../settings/sources.ts';
import { modelOption } from '../../options/session-file.ts';
import { groupOf, SETTING_GROUPS, type SettingGroup } from '../../options/setting-groups.ts';
import { ALL_SETTINGS, settingOptions, settingsOf } from '../../options/setting-options.ts';
import { sourcesInForce } from '../../options/setting-sources.ts';
import { tableLines, wrapped } from '../../terminal/columns.ts';
import { printJson, type Screen, terminal } from '../../terminal/terminal.ts';

/** Where a value comes from, in a word or two. */
export const originText = (origin: SettingOrigin): string =>
  origin.kind === 'session' ? 'this command' : 'name' in origin ? `${origin.kind} ${origin.name}` : origin.kind;

/** The value of a setting, or its default in words. */
export const valueText = ({ key, value }: ExplainedSetting): string =>
  String(value ?? SETTINGS_REGISTRY.find((known) => known.key === key)?.defaultHelp ?? '');

/** Each setting as an option, with what it does. */
function explanation(explained: readonly ExplainedSetting[], { columns, colors: { bold, dim } }: Screen): string {
  const lines = explained.flatMap((setting) => {
    const { flag, help } = settingRow(setting.key);
    const value = `${valueText(setting)} (${originText(setting.origin)})`;
    return [
      `${bold(flag)}  ${dim(value)}`,
      ...wrapped(help, columns - 4)
        .split('\n')
        .map((line) => `    ${line}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}

async function settings(
  group: SettingGroup | undefined,
  { model, json, ...options }: { readonly model?: string; readonly json?: boolean },
): Promise<void> {
  const { sources, profile } = await sourcesInForce(settingsOf({ ...options }));
  const explained = explainSettings(sources, { model }).filter(({ key }) => !group || groupOf(key) === group);
  const project = sources.find(({ origin }) => origin.kind === 'project')?.origin;
  const projectFile = project?.kind === 'project' ? project.file : undefined;
  const { out } = terminal();
  if (json)
    return printJson({
      profile: profile ?? null,
      projectFile: projectFile ?? null,
      settings: explained.map(({ key, value, origin }) => ({ key, value: value ?? null, origin })),
    });
  if (group) return out.print(explanation(explained, out));
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
    'Shows the value of each setting and its source: an option, the profile in use, the file .density.json of the project, the profile `recommended`, or the default. With a group it explains its settings.',
  );
  const groups = Object.entries(SETTING_GROUPS).map(([name, what]) => `${name}: ${what}`);
  command.addArgument(new Argument('[group]', groups.join('; ')).choices(Object.keys(SETTING_GROUPS)));
  settingOptions(command, ALL_SETTINGS);
  modelOption(command).option('--json', 'one JSON object').action(settings);
}
