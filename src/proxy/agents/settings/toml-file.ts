import { parse } from 'smol-toml';
import { regularFileText } from '../../../disk/regular-file.ts';
import { CompressionStrategyError, codeOf, messageOf } from '../../../errors.ts';

/** The settings in a file of TOML; none if there is no file. @throws CompressionStrategyError `USAGE` if it is broken. */
export async function tomlFile(file: string): Promise<Record<string, unknown>> {
  try {
    return parse(regularFileText(file));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw new CompressionStrategyError(`Expected ${file} to be TOML: ${messageOf(error)}`, 'USAGE', { cause: error });
  }
}
