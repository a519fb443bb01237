import { codeOf } from '../errors.ts';

/** What is read; `undefined` if nothing is there, or a link where none is followed. @throws the system's error. */
export async function ifThere<Read>(reading: Promise<Read>): Promise<Read | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(`${codeOf(error)}`)) return undefined;
    throw error;
  }
}
