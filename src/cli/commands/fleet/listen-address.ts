import { codeOf } from '../../../errors.ts';
import { UsageError } from '../../terminal/terminal.ts';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Host and port of `--listen`. @throws UsageError for any other form. */
export function listenAddress(text: string): ListenAddress {
  const [, host = '', port = ''] = /^\[?(.+?)\]?:(\d+)$/.exec(text) ?? [];
  if (host === '' || Number(port) > 65_535) throw new UsageError(`Expected --listen as host:port, got ${text}.`);
  return { host, port: Number(port) };
}

/** What to say if listening at `port` failed. */
export const listenFailure = (error: unknown, port: number): unknown =>
  codeOf(error) === 'EADDRINUSE'
    ? new UsageError(`Port ${port} is in use. Choose another one with --listen, or port 0 for any free one.`)
    : error;
