import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';

/** A marker of the conversation that a call would write into a file. */
export interface CopiedMarker {
  /** As it was sent. */
  readonly marker: string;
  /** What it stands for, such as `118 lines, 3 to 120, as shown above by Read src/a.ts`. */
  readonly standsFor: string;
  /** The name of the whole text in the archive: `density show <name>`, `recall <name>`. Absent where the marker has none. */
  readonly name?: string;
}

export interface CopiedMarkerOptions {
  /** The agent's tools. Default: of all known agents, by name and shape. */
  readonly vocabulary?: ToolVocabulary | undefined;
  /** Texts that may contain markers of their own, such as the file that the call changes: what they contain is no copy. */
  readonly texts?: Iterable<string>;
}
