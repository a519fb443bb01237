import { execFileSync } from 'node:child_process';

/** Vitest global set-up: thread, command and package tests run the built `dist`. `npm run check` runs none of them. */
export default function build(): void {
  if (process.env['SKIP_BUILD']) return;
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
