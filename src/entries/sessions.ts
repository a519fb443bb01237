export type { ArchivedBlock } from '../disk/block-archive.ts';
export { BlockArchive, blockHash, removedBlocks } from '../disk/block-archive.ts';
export type { TranscriptHeader } from '../gate/file-transcript.ts';
export { FileTranscript } from '../gate/file-transcript.ts';
export type { FoundSession, SessionPlace } from '../sessions/places/session-places.ts';
export { foundSessions, sessionPlaces } from '../sessions/places/session-places.ts';
