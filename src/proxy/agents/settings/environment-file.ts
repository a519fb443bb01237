import path from 'node:path';
import { parseEnv } from 'node:util';
import { readOr } from '../../../content/foreign-value.ts';
import { regularFileText } from '../../../disk/regular-file.ts';
import type { AgentStart } from '../agent.ts';

/**
 * The variables of the first `.env` that Gemini CLI or Qwen Code finds: from this folder upwards, then in the home folder,
 * in each the one in the agent's own folder before `.env`. Source: Gemini CLI 0.61.0 and Qwen Code 0.24.4, `findEnvFile`.
 */
export async function fileVariables(
  { folder, home }: AgentStart,
  own: '.gemini' | '.qwen',
): Promise<Readonly<Record<string, string | undefined>>> {
  const above: string[] = [];
  for (let one = folder; above.at(-1) !== one; one = path.dirname(one)) above.push(one);
  for (const file of [...above, home].flatMap((one) => [path.join(one, own, '.env'), path.join(one, '.env')])) {
    const text = readOr(() => regularFileText(file), undefined);
    if (text !== undefined) return parseEnv(text);
  }
  return {};
}
