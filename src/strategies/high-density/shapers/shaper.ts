import type { ToolCallBlock } from '../../../content/content.ts';
import type { ToolRole, ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { CommandKind } from './commands.ts';

/** What a call prints. */
export interface Printing {
  readonly role: ToolRole;
  /** What the programs of a shell call print, silent ones left out; `undefined` if any is not known. */
  readonly prints: ReadonlySet<CommandKind> | undefined;
  /** True if its tool writes a number before each line of a file. */
  readonly numbersLines: boolean;
}

/** A result that was not sent yet. */
export interface NewText extends Printing {
  readonly call: ToolCallBlock;
  readonly vocabulary: ToolVocabulary;
  /** True if a line may be about something that the agent wrote or named. */
  isNamed(line: string): boolean;
}

/** What makes the form of a new result. Its setting is the field of `DensityRules` with its name. */
export interface Shaper {
  readonly name: ShaperName;
  /** True if text is lost that a reader cannot have again from the form: it must be archived, and the marker says where. */
  readonly isLossy: boolean;
  appliesTo(printing: Printing): boolean;
  /** The form of a text; the same text if there is nothing to shorten. Linear. */
  shape(text: string, about: NewText): string;
}

export const SHAPER_NAMES = [
  'agentEchoes',
  'terminalNoise',
  'passingTests',
  'matchesByFile',
  'pathsByFolder',
  'tenthLineNumbers',
] as const;
export type ShaperName = (typeof SHAPER_NAMES)[number];

/** True if every program of a shell call prints what one of these does. */
export const printsOnly = ({ prints }: Printing, ...kinds: readonly CommandKind[]): boolean =>
  prints !== undefined && prints.size > 0 && [...prints].every((kind) => kinds.includes(kind));
