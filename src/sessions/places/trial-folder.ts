import path from 'node:path';
import { isRecord, readOr } from '../../content/foreign-value.ts';
import { fileStatus } from '../../disk/file-status.ts';
import { regularFileText } from '../../disk/regular-file.ts';

/** Within the folder of a trial. */
const TRAJECTORY = 'agent/trajectory.json';

/**
 * The trajectory in the folder that Harbor keeps of a trial; undefined if this is not such a folder.
 * Source: https://harborframework.com/docs/trajectory-format
 */
export function trajectoryIn(folder: string): string | undefined {
  const file = path.join(folder, TRAJECTORY);
  return fileStatus(folder)?.isDirectory() && fileStatus(file)?.isFile() ? file : undefined;
}

const valueIn = (file: string): unknown => readOr(() => JSON.parse(regularFileText(file)), undefined);

/**
 * What the verifier of a trial gave for this trajectory, by name; undefined if that is not known.
 * Source: https://harborframework.com/docs/rewardkit, `reward.json`; before, a number in `reward.txt`.
 */
export function rewardsFor(trajectory: string): Readonly<Record<string, number>> | undefined {
  const folder = path.dirname(path.dirname(trajectory));
  if (path.join(folder, TRAJECTORY) !== path.normalize(trajectory)) return undefined;
  const named = valueIn(path.join(folder, 'verifier/reward.json'));
  const rewards = isRecord(named) ? named : { reward: valueIn(path.join(folder, 'verifier/reward.txt')) };
  const numbers = Object.entries(rewards).filter((one): one is [string, number] => typeof one[1] === 'number');
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers);
}
