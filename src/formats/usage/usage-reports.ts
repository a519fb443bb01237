import type { Usage } from '../../content/content.ts';
import type { JsonPath } from '../json/value-at.ts';

/** How and where the files of a format report the usage of model calls. Paths are those in a report. */
export interface UsageReports {
  read(report: unknown): Usage | undefined;
  /** Its prompt, or what is in no part of it. */
  readonly prompt: JsonPath;
  /** What was read from the prompt cache or written to it. */
  readonly parts: readonly JsonPath[];
  /** Prompt and answer together. */
  readonly total?: JsonPath;
  /** The field for the reported usage, beside an estimate; absent if the format has no such field. */
  readonly reported?: string;
  /** The paths of the reports in the value of a line, or of the whole document. */
  placesIn(value: unknown): readonly JsonPath[];
  /** True if a file is one JSON document; else each line is a value. */
  readonly isDocument?: true;
}
